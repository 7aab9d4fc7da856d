package finhook

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// ReceivedEvent is a genuine event. ID is the same on every attempt: use it to drop duplicates.
type ReceivedEvent struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	CreatedAt time.Time `json:"created_at"`
	AccountID string    `json:"account_id"`
	// CompanyID is empty for events about the account.
	CompanyID string `json:"company_id,omitempty"`
	// Data can be decoded into the type of the event's data, for example [BankBalanceUpdatedEventData], or of its thin form
	// if the endpoint has payload thin, for example [BankBalanceUpdatedThinEventData]. Types that this version does not know
	// are received too.
	Data json.RawMessage `json:"data"`
}

// WebhookError is a rejected delivery: respond with 400. It contains no secret and nothing of the body.
type WebhookError struct {
	// Reason is one of the reasons of the guide, for example no_matching_signature.
	Reason string
	// Hint says what to correct.
	Hint string
}

func (e *WebhookError) Error() string {
	return "finhook: webhook rejected: " + e.Reason + ": " + e.Hint
}

func reject(reason string) *WebhookError {
	return &WebhookError{Reason: reason, Hint: webhookRejectionHints[reason]}
}

// VerifyWebhook verifies one delivery and returns its event. The body is the raw body, before any parsing. Pass the
// endpoint's secret (whsec_…) or public key (whpk_…), and during a rotation both the old and the new one. A delivery
// whose timestamp differs from the clock by more than 5 minutes is rejected. The error is a [*WebhookError].
func VerifyWebhook(body []byte, header http.Header, secrets ...string) (*ReceivedEvent, error) {
	return WebhookVerifier{Secrets: secrets}.Verify(body, header)
}

// WebhookVerifier verifies as [VerifyWebhook] does, with another tolerance or clock.
type WebhookVerifier struct {
	Secrets []string
	// Tolerance is 5 minutes if it is 0.
	Tolerance time.Duration
	// Now is [time.Now] if it is nil.
	Now func() time.Time
}

// Verify verifies one delivery and returns its event. The error is a [*WebhookError].
func (v WebhookVerifier) Verify(body []byte, header http.Header) (*ReceivedEvent, error) {
	if reason := v.check(body, header); reason != "" {
		return nil, reject(reason)
	}
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, reject("malformed_json")
	}
	var event ReceivedEvent
	isEvent := json.Unmarshal(body, &event) == nil && event.ID != "" && event.Type != "" && event.AccountID != ""
	if !isEvent || !strings.HasPrefix(string(event.Data), "{") {
		return nil, reject("malformed_event")
	}
	return &event, nil
}

// check verifies by x-service-signature, or by webhook-signature (Standard Webhooks 1.0.0) where the first is absent or
// made with another secret. It returns the reason for a rejection.
func (v WebhookVerifier) check(body []byte, header http.Header) string {
	keys, valid := readKeys(v.Secrets)
	if !valid {
		return "invalid_secret"
	}
	// The service's own header is made with shared secrets only.
	if len(keys.texts) == 0 {
		return v.checkStandard(body, header, keys)
	}
	reason := v.checkService(body, header, keys)
	// During a rotation this header is still signed with the old secret; the standard header has both signatures.
	if reason != "missing_header" && reason != "no_matching_signature" {
		return reason
	}
	standard := v.checkStandard(body, header, keys)
	if standard == "" || reason == "missing_header" {
		return standard
	}
	return reason
}

type verificationKeys struct {
	texts  [][]byte // keys of x-service-signature: the text of the whole secret
	shared [][]byte
	public []ed25519.PublicKey
}

func readKeys(secrets []string) (verificationKeys, bool) {
	var keys verificationKeys
	for _, secret := range secrets {
		shared, valid := decodeKey(secret, "whsec_", 24, 64)
		if valid {
			keys.texts, keys.shared = append(keys.texts, []byte(secret)), append(keys.shared, shared)
			continue
		}
		public, valid := decodeKey(secret, "whpk_", ed25519.PublicKeySize, ed25519.PublicKeySize)
		if !valid {
			return keys, false
		}
		keys.public = append(keys.public, public)
	}
	return keys, len(secrets) > 0
}

func decodeKey(text, prefix string, shortest, longest int) ([]byte, bool) {
	encoded, found := strings.CutPrefix(text, prefix)
	key := decodeBase64(encoded)
	return key, found && len(key) >= shortest && len(key) <= longest
}

// decodeBase64 returns nil for anything but the canonical encoding (RFC 4648): the decoder also skips line breaks.
func decodeBase64(text string) []byte {
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil || base64.StdEncoding.EncodeToString(decoded) != text {
		return nil
	}
	return decoded
}

var (
	serviceHeader    = regexp.MustCompile(`^t=([^,=]*),([a-z0-9]+)=([^,=]*)$`)
	serviceSignature = regexp.MustCompile(`^[0-9a-f]{64}$`)
	wholeSeconds     = regexp.MustCompile(`^(?:0|[1-9][0-9]{0,14})$`)
	webhookID        = regexp.MustCompile(`^[\x21-\x2d\x2f-\x7e]{1,255}$`)
	standardEntry    = regexp.MustCompile(`^([a-z0-9]+),([^,]*)$`)
)

// Repeated headers are joined, as in HTTP, and then rejected by the strict patterns. Names are compared in any case: a
// header made from a map, such as that of a serverless event, is not in canonical form.
func joined(header http.Header, name string) string {
	var values []string
	for key, each := range header {
		if strings.EqualFold(key, name) {
			values = append(values, each...)
		}
	}
	return strings.Join(values, ", ")
}

// checkService verifies t=<unix seconds>,v1=<hex>: HMAC-SHA256 over <t>.<body>.
func (v WebhookVerifier) checkService(body []byte, header http.Header, keys verificationKeys) string {
	value := joined(header, "X-Service-Signature")
	if value == "" {
		return "missing_header"
	}
	parts := serviceHeader.FindStringSubmatch(value)
	switch {
	case parts == nil:
		return "malformed_header"
	case !wholeSeconds.MatchString(parts[1]):
		return "malformed_timestamp"
	case parts[2] != "v1":
		return "unsupported_version"
	case !serviceSignature.MatchString(parts[3]):
		return "malformed_signature"
	}
	if reason := v.checkTimestamp(parts[1]); reason != "" {
		return reason
	}
	signature, _ := hex.DecodeString(parts[3])
	if !matchesAny([][]byte{signature}, keys.texts, parts[1]+".", body) {
		return "no_matching_signature"
	}
	return ""
}

// Bounds the work that an attacker can cause with a long list of signatures.
const maxEntries = 16

// checkStandard verifies by Standard Webhooks 1.0.0, over <id>.<t>.<body>: v1 is HMAC-SHA256 keyed by a decoded secret,
// v1a Ed25519 with a public key. Any key may match any entry of its version; other versions are ignored.
func (v WebhookVerifier) checkStandard(body []byte, header http.Header, keys verificationKeys) string {
	id, seconds := joined(header, "Webhook-Id"), joined(header, "Webhook-Timestamp")
	value := joined(header, "Webhook-Signature")
	switch {
	case id == "" || seconds == "" || value == "":
		return "missing_header"
	case !webhookID.MatchString(id):
		return "malformed_id"
	case !wholeSeconds.MatchString(seconds):
		return "malformed_timestamp"
	}
	signatures, reason := parseSignatures(value, keys)
	if reason == "" {
		reason = v.checkTimestamp(seconds)
	}
	if reason != "" {
		return reason
	}
	start := id + "." + seconds + "."
	if matchesAny(signatures["v1"], keys.shared, start, body) {
		return ""
	}
	content := append([]byte(start), body...)
	for _, signature := range signatures["v1a"] {
		for _, key := range keys.public {
			if ed25519.Verify(key, content, signature) {
				return ""
			}
		}
	}
	return "no_matching_signature"
}

// parseSignatures returns the well-formed signatures of each version for which there is a key.
func parseSignatures(value string, keys verificationKeys) (map[string][][]byte, string) {
	lengths := map[string]int{}
	if len(keys.shared) > 0 {
		lengths["v1"] = sha256.Size
	}
	if len(keys.public) > 0 {
		lengths["v1a"] = ed25519.SignatureSize
	}
	signatures := map[string][][]byte{}
	reason := "unsupported_version"
	entries := strings.Split(value, " ")
	if len(entries) > maxEntries {
		return nil, "malformed_header"
	}
	for _, entry := range entries {
		parts := standardEntry.FindStringSubmatch(entry)
		if parts == nil {
			return nil, "malformed_header"
		}
		length, usable := lengths[parts[1]]
		if !usable {
			continue
		}
		reason = "malformed_signature"
		// A truncated entry beside a valid one must not break a rotation.
		if signature := decodeBase64(parts[2]); len(signature) == length {
			signatures[parts[1]] = append(signatures[parts[1]], signature)
		}
	}
	if len(signatures) > 0 {
		reason = ""
	}
	return signatures, reason
}

func (v WebhookVerifier) checkTimestamp(text string) string {
	now, tolerance := time.Now, 5*time.Minute
	if v.Now != nil {
		now = v.Now
	}
	if v.Tolerance != 0 {
		tolerance = v.Tolerance
	}
	seconds, _ := strconv.ParseInt(text, 10, 64)
	age := now().Sub(time.Unix(seconds, 0))
	switch {
	case age > tolerance:
		return "timestamp_too_old"
	case age < -tolerance:
		return "timestamp_in_future"
	}
	return ""
}

// matchesAny compares all pairs in constant time, so that timing reveals neither how much of a signature is right nor
// which secret is in use.
func matchesAny(signatures, keys [][]byte, start string, body []byte) bool {
	matched := false
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(start))
		mac.Write(body)
		expected := mac.Sum(nil)
		for _, signature := range signatures {
			matched = hmac.Equal(signature, expected) || matched
		}
	}
	return matched
}
