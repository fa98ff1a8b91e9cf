// Package batch makes the manifests of somebody else's batch jobs, which need parts of GPUs.
package batch

import (
	"encoding/json"
	"fmt"
)

// Job is one pod with one MIG device.
type Job struct {
	Name    string
	Image   string
	Profile string // of the MIG device, such as 1g.5gb
}

type object map[string]any

// Manifest returns the claim and the pod of a job as a List in JSON, for kubectl apply.
func (j Job) Manifest() ([]byte, error) {
	if j.Name == "" || j.Image == "" || j.Profile == "" {
		return nil, fmt.Errorf("job %q needs a name, an image and a profile", j.Name)
	}
	return json.MarshalIndent(object{
		"apiVersion": "v1",
		"kind":       "List",
		"items":      []object{j.claim(), j.pod()},
	}, "", "  ")
}

func (j Job) claim() object {
	return object{
		"apiVersion": "resource.k8s.io/v1",
		"kind":       "ResourceClaim",
		"metadata":   object{"name": j.Name},
		"spec": object{"devices": object{"requests": []object{{
			"name": "gpu",
			"exactly": object{
				"deviceClassName": "mig.example.com",
				"selectors": []object{{"cel": object{
					"expression": fmt.Sprintf("device.attributes['gpu.example.com'].profile == '%s'", j.Profile),
				}}},
			},
		}}}},
	}
}

func (j Job) pod() object {
	return object{
		"apiVersion": "v1",
		"kind":       "Pod",
		"metadata":   object{"name": j.Name},
		"spec": object{
			"schedulerName": "fakegpu-scheduler",
			"restartPolicy": "Never",
			"containers": []object{{
				"name":      "main",
				"image":     j.Image,
				"resources": object{"claims": []object{{"name": "gpu"}}},
			}},
			"resourceClaims": []object{{"name": "gpu", "resourceClaimName": j.Name}},
		},
	}
}
