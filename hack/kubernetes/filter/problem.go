package main

import (
	"errors"
	"fmt"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/dynamic-resource-allocation/structured"
	fwk "k8s.io/kube-scheduler/framework"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
)

// A problem is a pod, a node with the pods that are there, and what is known of devices. Admission is what the kubelet decides.
type problem struct {
	Name      string                       `json:"name"`
	Admission bool                         `json:"admission"`
	Pod       v1.Pod                       `json:"pod"`
	Node      v1.Node                      `json:"node"`
	Pods      []*v1.Pod                    `json:"pods"`
	Classes   []*resourceapi.DeviceClass   `json:"classes"`
	Slices    []*resourceapi.ResourceSlice `json:"slices"`
	Claims    []*resourceapi.ResourceClaim `json:"claims"`
}

// setDefaults makes pods what the API server stores, apart from what it takes away.
func (p *problem) setDefaults() error {
	for _, pod := range append([]*v1.Pod{&p.Pod}, p.Pods...) {
		corev1.SetObjectDefaults_Pod(pod)
		var stored core.Pod
		if err := corev1.Convert_v1_Pod_To_core_Pod(pod, &stored, nil); err != nil {
			return err
		}
		podutil.DefaultPodLevelResources(&stored)
		pod.Spec.Resources = nil
		if stored.Spec.Resources == nil {
			continue
		}
		pod.Spec.Resources = new(v1.ResourceRequirements)
		if err := corev1.Convert_core_ResourceRequirements_To_v1_ResourceRequirements(stored.Spec.Resources, pod.Spec.Resources, nil); err != nil {
			return err
		}
	}
	return nil
}

// A handle has what the plugins ask a scheduler for; anything else panics.
type handle struct {
	fwk.Handle
	client    kubernetes.Interface
	informers informers.SharedInformerFactory
	problem   *problem // the one that is being answered
}

func newHandle() *handle {
	client := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://nobody.invalid"}) // is never called
	return &handle{client: client, informers: informers.NewSharedInformerFactory(client, 0)}
}

func (h *handle) ClientSet() kubernetes.Interface                        { return h.client }
func (h *handle) SharedInformerFactory() informers.SharedInformerFactory { return h.informers }
func (h *handle) ProfileName() string                                    { return "default-scheduler" }
func (h *handle) SharedDRAManager() fwk.SharedDRAManager                 { return manager{handle: h} }

// A manager shows the problem's objects.
type manager struct {
	fwk.SharedDRAManager
	handle *handle
}

func (m manager) ResourceClaims() fwk.ResourceClaimTracker     { return claims{handle: m.handle} }
func (m manager) ResourceSlices() fwk.ResourceSliceLister      { return slices{handle: m.handle} }
func (m manager) DeviceClasses() fwk.DeviceClassLister         { return classes{handle: m.handle} }
func (m manager) DeviceClassResolver() fwk.DeviceClassResolver { return noResolver{} }

type noResolver struct{}

func (noResolver) GetDeviceClass(v1.ResourceName) *resourceapi.DeviceClass { return nil }

type slices struct{ handle *handle }

func (s slices) ListWithDeviceTaintRules() ([]*resourceapi.ResourceSlice, error) {
	return s.handle.problem.Slices, nil
}

type classes struct{ handle *handle }

func (c classes) List() ([]*resourceapi.DeviceClass, error) { return c.handle.problem.Classes, nil }

func (c classes) Get(name string) (*resourceapi.DeviceClass, error) {
	for _, class := range c.handle.problem.Classes {
		if class.Name == name {
			return class, nil
		}
	}
	return nil, fmt.Errorf("no class %s", name)
}

type claims struct {
	fwk.ResourceClaimTracker
	handle *handle
}

func (c claims) List() ([]*resourceapi.ResourceClaim, error) { return c.handle.problem.Claims, nil }

func (c claims) Get(namespace, name string) (*resourceapi.ResourceClaim, error) {
	for _, claim := range c.handle.problem.Claims {
		if claim.Namespace == namespace && claim.Name == name {
			return claim, nil
		}
	}
	return nil, fmt.Errorf("no claim %s/%s", namespace, name)
}

func (c claims) GetPendingAllocation(types.UID) *resourceapi.AllocationResult { return nil }

func (c claims) ListAllAllocatedDevices() (sets.Set[structured.DeviceID], error) {
	return nil, errors.New("not needed by the allocators that have all features")
}

func (c claims) GatherAllocatedState() (*structured.AllocatedState, error) {
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	for _, claim := range c.handle.problem.Claims {
		if claim.Status.Allocation == nil {
			continue
		}
		for _, result := range claim.Status.Allocation.Devices.Results {
			id := structured.MakeDeviceID(result.Driver, result.Pool, result.Device)
			if result.ShareID == nil {
				state.AllocatedDevices.Insert(id)
				continue
			}
			state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(id, result.ShareID))
			state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(id, result.ConsumedCapacity))
		}
	}
	return &state, nil
}
