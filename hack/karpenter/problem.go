package main

import (
	"unique"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/scheduling/dynamicresources"
)

// A problem is what an allocator decides on for one node. Its types are not shared with hack/oracle: Karpenter needs older modules of
// Kubernetes than the newest allocator. Features are not read: Karpenter has no gates for them.
type problem struct {
	Name    string                      `json:"name"`
	Node    corev1.Node                 `json:"node"`
	Classes []*resourcev1.DeviceClass   `json:"classes"`
	Slices  []*resourcev1.ResourceSlice `json:"slices"`
	Claims  []*resourcev1.ResourceClaim `json:"claims"`
	State   allocatedState              `json:"state"`
}

type allocatedState struct {
	Devices  []heldDevice `json:"devices"`
	Shared   []heldDevice `json:"shared"`
	Capacity []heldDevice `json:"capacity"`
}

type heldDevice struct {
	Driver   string         `json:"driver"`
	Pool     string         `json:"pool"`
	Device   string         `json:"device"`
	Consumed capacityByName `json:"consumed"`
}

type capacityByName = map[resourcev1.QualifiedName]resource.Quantity

// An answer is one line of output. The results are there exactly if the outcome is "allocated".
type answer struct {
	Name     string                        `json:"name"`
	Outcome  string                        `json:"outcome"`
	Error    string                        `json:"error,omitempty"`
	TimedOut bool                          `json:"timedOut,omitempty"`
	Results  []resourcev1.AllocationResult `json:"results,omitzero"`
}

func (d heldDevice) id() cloudprovider.DeviceID {
	return cloudprovider.DeviceID{Driver: unique.Make(d.Driver), Pool: unique.Make(d.Pool), Device: unique.Make(d.Device)}
}

// seed makes what Karpenter's provisioner gathers from the claims of a cluster.
func (s allocatedState) seed() dynamicresources.AllocatedDeviceState {
	state := dynamicresources.AllocatedDeviceState{
		ExclusiveDevices: sets.New[cloudprovider.DeviceID](),
		ConsumedCapacity: map[cloudprovider.DeviceID]capacityByName{},
	}
	for _, d := range s.Devices {
		state.ExclusiveDevices.Insert(d.id())
	}
	for _, d := range s.Shared {
		if state.ConsumedCapacity[d.id()] == nil {
			state.ConsumedCapacity[d.id()] = capacityByName{}
		}
	}
	for _, d := range s.Capacity {
		state.ConsumedCapacity[d.id()] = d.Consumed
	}
	return state
}

func inCluster(slices []*resourcev1.ResourceSlice) []dynamicresources.ResourceSlice {
	var wrapped []dynamicresources.ResourceSlice
	for _, slice := range slices {
		wrapped = append(wrapped, dynamicresources.NewAPIServerSlice(slice))
	}
	return wrapped
}
