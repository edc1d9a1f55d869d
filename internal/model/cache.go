package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"gauntlet/internal/trace"
)

// cacheVersion is part of every key: a change of the reading of replies that old
// entries must not survive gets a new one.
const cacheVersion = "gauntlet.reply/1"

// CacheStore keeps bytes by key. Keys are 64 hexadecimal digits. Stores may be
// used from many goroutines at once.
type CacheStore interface {
	// Get returns the bytes of a key, and false if there are none.
	Get(key string) ([]byte, bool, error)
	// Put keeps bytes; a reader sees the old ones, the new ones or none.
	Put(key string, data []byte) error
}

// Cache is a Client that remembers replies. Its key covers the service and the
// whole request with its epoch. Failures are never remembered, nor are replies
// cut at the limit of tokens.
type Cache struct {
	next  Client
	store CacheStore
	scope string
}

// NewCache wraps the client of a spec.
func NewCache(next Client, s Spec, store CacheStore) *Cache {
	return &Cache{next, store, s.Provider.Name + " " + string(s.Provider.Wire) + " " + s.Provider.BaseURL}
}

// Key returns the key of a request.
func (c *Cache) Key(r Request) string {
	h := sha256.New()
	// The scope holds no line break: names and URLs were checked.
	_, _ = fmt.Fprintf(h, "%s\n%s\n%s", cacheVersion, c.scope, r.Canonical())
	return hex.EncodeToString(h.Sum(nil))
}

// Complete returns the reply that is remembered, which then costs nothing, or
// asks and remembers. An entry that cannot be read is asked again and replaced; a
// reply that cannot be kept is returned all the same.
func (c *Cache) Complete(ctx context.Context, r Request) (Reply, error) {
	key := c.Key(r)
	if reply, ok := c.lookup(key); ok {
		reply.Cached, reply.Usage.Requests, reply.Usage.CostUSD = true, 0, 0
		return reply, nil
	}
	reply, err := c.next.Complete(ctx, r)
	if err != nil || reply.Truncated {
		return reply, err
	}
	_ = c.store.Put(key, reply.encode().AppendJSON(nil)) // the reply has been paid for and must not be lost
	return reply, nil
}

func (c *Cache) lookup(key string) (Reply, bool) {
	data, ok, err := c.store.Get(key)
	if err != nil || !ok {
		return Reply{}, false
	}
	v, _, err := trace.ParseValue(data)
	if err != nil {
		return Reply{}, false
	}
	reply, err := decodeReply(v)
	return reply, err == nil
}

// MemoryStore is a CacheStore that ends with the process. The zero value is empty.
type MemoryStore struct{ m sync.Map }

// Get returns the bytes of a key.
func (s *MemoryStore) Get(key string) ([]byte, bool, error) {
	data, ok := s.m.Load(key)
	if !ok {
		return nil, false, nil
	}
	return data.([]byte), true, nil
}

// Put keeps bytes.
func (s *MemoryStore) Put(key string, data []byte) error {
	s.m.Store(key, data)
	return nil
}

// DirStore is a CacheStore in a directory, one file per key, in folders by the
// key's first two digits. Files are written aside and renamed, so that a kill
// leaves no half of one.
type DirStore struct{ dir string }

// NewDirStore returns the store in a directory, which it makes if needed.
func NewDirStore(dir string) (*DirStore, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make cache: %w", err)
	}
	return &DirStore{dir}, nil
}

func (s *DirStore) path(key string) string { return filepath.Join(s.dir, key[:2], key+".json") }

// Get returns the bytes of a key.
func (s *DirStore) Get(key string) ([]byte, bool, error) {
	data, err := os.ReadFile(s.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return data, err == nil, err
}

// Put keeps bytes.
func (s *DirStore) Put(key string, data []byte) (err error) {
	path := s.path(key)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("write cache: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-*")
	if err != nil {
		return fmt.Errorf("write cache: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("write cache: %w", err), os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}
