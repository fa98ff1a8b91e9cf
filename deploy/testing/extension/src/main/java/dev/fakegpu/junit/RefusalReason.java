package dev.fakegpu.junit;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Why a pod or claim gets no devices: the codes of the annotations {@code fakegpu.dev/reason} of Events and {@code
 * fakegpu.dev/not-allocated} of claims. If several apply, the operator reports the first of them in this order.
 */
public enum RefusalReason {
    /** The claim requests something that cannot be allocated here. */
    NOT_SUPPORTED,
    /** The DeviceClass does not exist. */
    CLASS_NOT_FOUND,
    /** The claim requests more devices than a claim can have. */
    TOO_MANY_DEVICES,
    /** A selector does not compile, or fails on a device. */
    SELECTOR_FAILED,
    /** An input of the decision is invalid, such as a node selector of a slice. */
    FAILED,
    /** Each request could be served, but not all of them together. */
    NOT_TOGETHER,
    /** A constraint of the claim is not met, or a device lacks its attribute. */
    CONSTRAINT_NOT_MET,
    /** The compatibility groups of the device exclude it, given the devices that are already allocated. */
    DEVICES_INCOMPATIBLE,
    /** Too little is left of a counter. */
    COUNTERS_EXHAUSTED,
    /** Too little is left of a capacity. */
    CAPACITY_EXHAUSTED,
    /** Other claims hold the devices. */
    DEVICES_IN_USE,
    /** The devices have taints that the request does not tolerate. */
    DEVICES_TAINTED,
    /** The devices have taints that mark broken hardware. */
    DEVICES_UNHEALTHY,
    /** A device needs a feature that the kubelet of the node lacks. */
    NODE_LACKS_FEATURE,
    /** A device uses a feature that is switched off. */
    FEATURE_OFF,
    /** A device does not have a requested capacity, or not in this amount. */
    CAPACITY_NOT_OFFERED,
    /** The slices of a pool contradict each other. */
    POOL_INVALID,
    /** Slices have compatibility groups while the gate is off. */
    GROUPS_IGNORED,
    /** Not all slices of a pool are published yet. */
    POOL_INCOMPLETE,
    /** The devices select their nodes individually, and this node is not among them. */
    NOT_REACHED,
    /** The request selects none of the devices. */
    NO_MATCHING_DEVICE,
    /** There are no devices. */
    NO_DEVICES,
    /** There are too many combinations of devices to try them all. */
    UNDECIDED,
    /** No node fits the pod, regardless of devices. */
    NO_NODE_FITS,
    /** A claim of the pod is missing, being deleted, or in use in a way that excludes the pod. */
    CLAIMS_UNAVAILABLE,
    /** The binding conditions of a device failed or were not met in time. */
    BINDING_FAILED,
    /** Pods of its PodGroup are missing, or one of them waits for something else. */
    GANG_INCOMPLETE,
    /** There is no room for enough pods of its PodGroup at once. */
    GANG_DOES_NOT_FIT,
    /** An object has fields whose types the operator does not know. */
    UNREADABLE,
    /** The pod has fields that restrict its placement and that the companion does not support. */
    PLACEMENT_NOT_SUPPORTED,
    /** The API server did not store the allocation in time. */
    NOT_STORED;

    /** The code in the annotations, such as {@code DevicesIncompatible}. */
    public String code() {
        return Arrays.stream(name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }
}
