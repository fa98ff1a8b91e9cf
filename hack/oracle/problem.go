package main

import (
	"fmt"
	"reflect"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/structured"
)

// A problem is what an allocator decides on for one node.
type problem struct {
	Name     string                       `json:"name"`
	Features []string                     `json:"features"`
	Context  callContext                  `json:"context"`
	Node     v1.Node                      `json:"node"`
	Classes  classLister                  `json:"classes"`
	Slices   []*resourceapi.ResourceSlice `json:"slices"`
	Claims   []*resourceapi.ResourceClaim `json:"claims"`
	State    allocatedState               `json:"state"`
}

type callContext struct {
	// Mode is "off", "timeout", "deadline" or "cancel": in what way the call is interrupted before it begins.
	Mode string `json:"mode"`
}

type allocatedState struct {
	Devices  []heldDevice `json:"devices"`
	Shared   []heldDevice `json:"shared"`
	Capacity []heldDevice `json:"capacity"`
}

type heldDevice struct {
	Driver   string                                          `json:"driver"`
	Pool     string                                          `json:"pool"`
	Device   string                                          `json:"device"`
	ShareID  types.UID                                       `json:"shareID"`
	Consumed map[resourceapi.QualifiedName]resource.Quantity `json:"consumed"`
}

func (d heldDevice) id() structured.DeviceID {
	return structured.MakeDeviceID(d.Driver, d.Pool, d.Device)
}

// upstream makes the collections that NewAllocator takes. It keeps them, so each allocator needs its own.
func (s allocatedState) upstream() structured.AllocatedState {
	devices := sets.New[structured.DeviceID]()
	for _, d := range s.Devices {
		devices.Insert(d.id())
	}
	shares := sets.New[structured.SharedDeviceID]()
	for _, d := range s.Shared {
		shares.Insert(structured.MakeSharedDeviceID(d.id(), &d.ShareID))
	}
	capacity := structured.NewConsumedCapacityCollection()
	for _, d := range s.Capacity {
		capacity.Insert(structured.NewDeviceConsumedCapacity(d.id(), d.Consumed))
	}
	return structured.AllocatedState{
		AllocatedDevices:         devices,
		AllocatedSharedDeviceIDs: shares,
		AggregatedCapacity:       capacity,
	}
}

// featureSet looks the names up among the fields of upstream's struct, so that this program knows all of them.
func featureSet(all bool, names []string) (structured.Features, error) {
	var features structured.Features
	fields := reflect.ValueOf(&features).Elem()
	for i := range fields.NumField() {
		fields.Field(i).SetBool(all)
	}
	for _, name := range names {
		field := fields.FieldByName(name)
		if !field.IsValid() {
			return features, fmt.Errorf("unknown feature %q", name)
		}
		field.SetBool(true)
	}
	return features, nil
}

// classLister implements structured.DeviceClassLister.
type classLister []*resourceapi.DeviceClass

func (l classLister) List() ([]*resourceapi.DeviceClass, error) { return l, nil }

func (l classLister) Get(name string) (*resourceapi.DeviceClass, error) {
	for _, class := range l {
		if class.Name == name {
			return class, nil
		}
	}
	return nil, apierrors.NewNotFound(resourceapi.Resource("deviceclasses"), name)
}
