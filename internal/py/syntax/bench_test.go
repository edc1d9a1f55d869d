package syntax

import (
	"strings"
	"testing"
)

// benchmarkSource is about a thousand lines in the style of a world.
var benchmarkSource = []byte("class World:\n" + strings.Repeat(`
    def transfer(self, source: str, target: str, amount: float = 0.0, *, note=None) -> dict:
        """Move money from one account to another."""
        if source not in self.accounts or target not in self.accounts:
            return {"success": False, "error": f"unknown account {source!r} or {target!r}"}
        account = self.accounts[source]
        if account.get("balance", 0) < amount and not account["overdraft"]:
            return {"success": False, "error": "insufficient funds"}
        for key, value in sorted(account.items()):
            if isinstance(value, (int, float)) and value < 0:
                self.log.append(f"{key}: {value:.2f}")
        account["balance"] -= amount
        self.accounts[target]["balance"] += amount
        total = sum(a["balance"] for a in self.accounts.values() if a["open"])
        return {"success": True, "total": round(total, 2), "note": note or "none"}
`, 65))

func BenchmarkParse(b *testing.B) {
	b.SetBytes(int64(len(benchmarkSource)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("w.py", benchmarkSource); err != nil {
			b.Fatal(err)
		}
	}
}
