package finhook

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	random "math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"time"
)

const (
	// A longer wait is the application's decision: it gets the error with its RetryAfter.
	maxWait    = time.Minute
	firstDelay = 500 * time.Millisecond
	maxDelay   = 8 * time.Second
)

const idempotencyHeader = "Idempotency-Key"

// call is one call of an operation, whose attempts send the same request.
type call struct {
	operation string
	method    string
	path      string
	query     url.Values
	header    http.Header
	body      any
	err       error
}

func newCall(operation, method, path string, ids ...string) *call {
	c := &call{operation: operation, method: method, query: url.Values{}, header: http.Header{}}
	escaped := make([]any, len(ids))
	for i, id := range ids {
		// The path without it is that of another operation.
		if id == "" {
			c.err = errors.New("an ID is empty; nothing was sent")
		}
		escaped[i] = url.PathEscape(id)
	}
	c.path = fmt.Sprintf(path, escaped...)
	return c
}

// A parameter is a pointer, or a list, which is repeated.
func addQuery(c *call, name string, value any) {
	given := reflect.ValueOf(value)
	if given.Kind() == reflect.Slice {
		for i := range given.Len() {
			c.query.Add(name, queryText(given.Index(i).Interface()))
		}
		return
	}
	if !given.IsNil() {
		c.query.Set(name, queryText(given.Elem().Interface()))
	}
}

func queryText(value any) string {
	if at, isTime := value.(time.Time); isTime {
		return at.UTC().Format(time.RFC3339Nano)
	}
	return fmt.Sprint(value)
}

func addHeader(c *call, name string, value *string) {
	if value == nil {
		return
	}
	// Sent without a key, a retry would repeat the change.
	if *value == "" {
		c.err = fmt.Errorf("%s is empty; nothing was sent", name)
	}
	c.header.Set(name, *value)
}

// Call sends a request that no method can express, such as a body with a null. The path starts after /api/v1. The body
// is sent as JSON, unless it is nil; the response is decoded into result, unless it is nil.
func (c *Client) Call(ctx context.Context, method, path string, body, result any) error {
	call := newCall(method+" "+path, method, "")
	call.path, call.body = path, body
	return c.run(ctx, call, result)
}

func send[T any](ctx context.Context, c *Client, call *call) (*T, error) {
	result := new(T)
	if err := c.run(ctx, call, result); err != nil {
		return nil, err
	}
	return result, nil
}

// run repeats attempts until one succeeds, fails permanently or is the last.
func (c *Client) run(ctx context.Context, call *call, result any) error {
	var body []byte
	if call.body != nil && call.err == nil {
		body, call.err = json.Marshal(call.body)
		// A nil map: the body of an operation without fields is {}, and the service rejects null.
		if string(body) == "null" {
			body = []byte("{}")
		}
		call.header.Set("Content-Type", "application/json")
	}
	if call.err != nil {
		return fmt.Errorf("finhook: %s: %w", call.operation, call.err)
	}
	if call.method != http.MethodGet && c.maxRetries > 0 && call.header.Get(idempotencyHeader) == "" {
		call.header.Set(idempotencyHeader, rand.Text())
	}
	for attempt := 1; ; attempt++ {
		failure := c.attempt(ctx, call, body, result)
		if failure == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("finhook: %s: %w", call.operation, context.Cause(ctx))
		}
		delay, repeats := retryDelay(failure, attempt, random.Float64())
		deadline, limited := ctx.Deadline()
		if !repeats || attempt > c.maxRetries || (limited && time.Until(deadline) < delay) {
			return failure
		}
		c.onRetry(Retry{Operation: call.operation, Attempt: attempt, Delay: delay, Err: failure})
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return fmt.Errorf("finhook: %s: %w", call.operation, context.Cause(ctx))
		}
	}
}

func (c *Client) attempt(ctx context.Context, call *call, body []byte, result any) *Error {
	failure := &Error{Operation: call.operation, Retryable: true, message: "the connection failed"}
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return failure
	}
	timeout := fmt.Errorf("no complete response within the timeout of %g s", c.timeout.Seconds())
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, timeout)
	defer cancel()
	status, header, data, err := c.exchange(ctx, call, body)
	failure.Status, failure.RequestID = status, header.Get("X-Request-Id")
	failure.RetryAfter = parseRetryAfter(header.Get("Retry-After"), time.Now())
	if err != nil {
		failure.cause = err
		if context.Cause(ctx) == timeout {
			failure.Status, failure.message, failure.cause = 0, timeout.Error(), nil
		}
		return failure
	}
	if status >= 200 && status < 300 {
		if result == nil || status == http.StatusNoContent {
			return nil
		}
		if err = json.Unmarshal(data, result); err == nil {
			return nil
		}
	}
	var problem Problem
	if status >= 400 && json.Unmarshal(data, &problem) == nil && problem.Code != "" {
		return failure.withProblem(&problem)
	}
	cutOff := status < 300 && !json.Valid(data)
	failure.Retryable = cutOff || status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
	failure.message = fmt.Sprintf("HTTP %d with a body that is not the service's: check the base URL, and proxies in between", status)
	failure.cause = err
	return failure
}

// exchange sends the request and reads the whole response.
func (c *Client) exchange(ctx context.Context, call *call, body []byte) (int, http.Header, []byte, error) {
	target := c.baseURL + call.path
	if len(call.query) > 0 {
		target += "?" + call.query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, call.method, target, bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	request.Header = call.header.Clone()
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Authorization", "Bearer "+c.apiKey)
	request.Header.Set("User-Agent", "finhook-go")
	response, err := c.httpClient.Do(request)
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	return response.StatusCode, response.Header, data, err
}

// retryDelay returns the wait before the next attempt: Retry-After, and a random share of a delay that doubles with each
// attempt, so that clients which failed together don't return together. It is false if the call is not to be repeated.
func retryDelay(failure *Error, attempt int, share float64) (time.Duration, bool) {
	// More doublings than reach maxDelay would overflow.
	delay := min(maxDelay, firstDelay<<min(attempt-1, 5))
	if failure.RetryAfter == nil {
		return time.Duration(float64(delay) * (0.5 + share/2)), failure.Retryable
	}
	wait := *failure.RetryAfter
	return wait + time.Duration(float64(delay)*share/2), failure.Retryable && wait <= maxWait
}

// parseRetryAfter reads seconds or a date (RFC 9110, section 10.2.3).
func parseRetryAfter(header string, now time.Time) *time.Duration {
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil {
		return Ptr(time.Duration(seconds) * time.Second)
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return nil
	}
	return Ptr(max(0, at.Sub(now)))
}
