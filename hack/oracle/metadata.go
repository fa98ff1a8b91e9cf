package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/dynamic-resource-allocation/api/metadata"
	"k8s.io/dynamic-resource-allocation/devicemetadata"
)

// A decoded file of device metadata (KEP-5304): what consumers of it get from each object in it.
type decoded struct {
	Objects []object `json:"objects"`
	Error   string   `json:"error,omitempty"`
}

type object struct {
	APIVersion string                   `json:"apiVersion"`
	Invalid    string                   `json:"invalid,omitempty"`
	Metadata   *metadata.DeviceMetadata `json:"metadata"`
}

// decodeAll reads files as JSON strings, and writes one line of JSON for each.
func decodeAll(in io.Reader, out io.Writer) error {
	decoder := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	encoder := json.NewEncoder(out) // does not buffer
	for {
		var text string
		if err := decoder.Decode(&text); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := encoder.Encode(decodeFile(text)); err != nil {
			return err
		}
	}
}

// decodeFile decodes the first object of a file as upstream's consumers do, and then those behind it in the same way.
func decodeFile(text string) decoded {
	var all decoded
	stream := json.NewDecoder(strings.NewReader(text))
	for stream.More() {
		var invalid error
		var gvk schema.GroupVersionKind
		var content metadata.DeviceMetadata
		err := devicemetadata.DecodeMetadataFromStream(stream, &content,
			devicemetadata.DecodeMetadataWithValidationResult(&invalid), devicemetadata.DecodeMetadataStoreGVKResult(&gvk))
		if err != nil {
			all.Error = err.Error()
			return all
		}
		one := object{APIVersion: gvk.GroupVersion().String(), Metadata: &content}
		if invalid != nil {
			one.Invalid = invalid.Error()
		}
		all.Objects = append(all.Objects, one)
	}
	return all
}
