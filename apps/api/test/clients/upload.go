// Arguments: METHOD URL AUTHORIZATION FILE CONTENT_TYPE ENCODING LENGTH_KNOWN, for each upload. Prints the statuses of ten attempts.
package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
)

func upload(args []string) (int, error) {
	body, err := os.ReadFile(args[3])
	if err != nil {
		return 0, err
	}
	var reader io.Reader = bytes.NewReader(body)
	if args[6] != "true" {
		reader = io.MultiReader(reader)
	}
	request, err := http.NewRequest(args[0], args[1], reader)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Authorization", args[2])
	request.Header.Set("Content-Type", args[4])
	request.Header.Set("Content-Encoding", args[5])
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	_, err = io.ReadAll(response.Body)
	return response.StatusCode, err
}

func main() {
	for args := os.Args[1:]; len(args) > 0; args = args[7:] {
		for range 10 {
			status, err := upload(args)
			if err != nil {
				fmt.Println(err)
			} else {
				fmt.Println(status)
			}
		}
	}
}
