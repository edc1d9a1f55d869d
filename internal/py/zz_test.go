package py
import ("testing";"os";"os/exec";"bytes")
func TestZZ(t *testing.T){
 src,_:=os.ReadFile(os.Getenv("ZZ"))
 out,err:=runSource(string(src))
 cmd:=exec.Command("python3","-X","utf8",os.Getenv("ZZ")); var b,e bytes.Buffer; cmd.Stdout=&b; cmd.Stderr=&e; cmd.Run()
 if err!=nil {t.Log(err)}
 g:=outputLines(out); w:=outputLines(b.String()); n:=0
 if e.Len()>0 {t.Log(e.String())}
 for i:=range w { if i>=len(g)||g[i]!=w[i] { n++; if n<40 {x:="<none>"; if i<len(g){x=g[i]}; t.Errorf("got %.300s\nwant %.300s",x,w[i])}}}
 t.Logf("%d of %d differ",n,len(w))
}
