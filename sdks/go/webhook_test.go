package finhook

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// vector is a delivery as received, and the expected result of its verification, as for the other clients.
type vector struct {
	Name, Scheme string
	Secrets      []string
	Now          float64
	Headers      map[string]string
	Body         struct{ Encoding, Content string }
	Expected     struct{ Reason string }
}

func readVectors(t *testing.T) []vector {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file.Vectors
}

func (v vector) verifier() WebhookVerifier {
	now := time.Unix(0, 0).Add(time.Duration(v.Now * float64(time.Second)))
	return WebhookVerifier{Secrets: v.Secrets, Now: func() time.Time { return now }}
}

func (v vector) delivery() ([]byte, http.Header) {
	header := http.Header{}
	for name, value := range v.Headers {
		header.Set(name, value)
	}
	if v.Body.Encoding == "base64" {
		body, _ := base64.StdEncoding.DecodeString(v.Body.Content)
		return body, header
	}
	return []byte(v.Body.Content), header
}

func TestVectors(t *testing.T) {
	vectors := readVectors(t)
	if len(vectors) < 100 {
		t.Fatal(len(vectors))
	}
	for _, v := range vectors {
		body, header := v.delivery()
		if reason := v.verifier().check(body, header); reason != v.Expected.Reason {
			t.Errorf("%s: %q, expected %q", v.Name, reason, v.Expected.Reason)
		}
		if _, known := webhookRejectionHints[v.Expected.Reason]; v.Expected.Reason != "" && !known {
			t.Errorf("no hint for %s", v.Expected.Reason)
		}
	}
}

const other = "whsec_" + "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8="

func TestEventIsReturned(t *testing.T) {
	for _, v := range readVectors(t)[:2] {
		body, header := v.delivery()
		event, err := v.verifier().Verify(body, header)
		if err != nil || event.Type != "bank.balance.updated" || event.CompanyID == "" || event.CreatedAt.Year() != 2026 {
			t.Fatal(v.Name, event, err)
		}
		var data BankBalanceUpdatedEventData
		if err := json.Unmarshal(event.Data, &data); err != nil || data.BalanceCents != 1234567 {
			t.Error(data, err)
		}
		verifier := v.verifier()
		verifier.Secrets = []string{other, v.Secrets[0]}
		if _, err := verifier.Verify(body, header); err != nil {
			t.Error("both secrets during a rotation:", err)
		}
		verifier.Secrets = []string{other}
		var rejected *WebhookError
		if _, err := verifier.Verify(body, header); !errors.As(err, &rejected) || rejected.Reason != "no_matching_signature" || rejected.Hint == "" {
			t.Error("another secret:", err)
		}
		if _, err := VerifyWebhook(body, header, v.Secrets...); !errors.As(err, &rejected) || rejected.Reason != "timestamp_too_old" {
			t.Error("an old delivery:", err)
		}
	}
}

func TestSignedBodyThatIsNoEvent(t *testing.T) {
	reasons := map[string]int{}
	for _, v := range readVectors(t) {
		if v.Expected.Reason != "" {
			continue
		}
		body, header := v.delivery()
		_, err := v.verifier().Verify(body, header)
		var rejected *WebhookError
		if errors.As(err, &rejected) {
			reasons[rejected.Reason]++
		}
	}
	if reasons["malformed_json"] == 0 || len(reasons) > 2 {
		t.Error(reasons)
	}
}

func TestHeaderNamesInAnyCase(t *testing.T) {
	for _, v := range readVectors(t) {
		body, header := v.delivery()
		lower := http.Header{}
		for name, values := range header {
			lower[strings.ToLower(name)] = values
		}
		if reason := v.verifier().check(body, lower); reason != v.Expected.Reason {
			t.Errorf("%s: %q instead of %q", v.Name, reason, v.Expected.Reason)
		}
	}
	if _, err := VerifyWebhook([]byte("{}"), nil, "whsec_"+base64.StdEncoding.EncodeToString(make([]byte, 32))); err == nil {
		t.Error("no headers were accepted")
	}
}
