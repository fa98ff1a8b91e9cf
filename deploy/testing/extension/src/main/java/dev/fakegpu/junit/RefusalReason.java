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
    /** More devices than a claim can have. */
    TOO_MANY_DEVICES,
    /** A selector does not compile, or fails on a device. */
    SELECTOR_FAILED,
    /** Something that the decision is based on is invalid, such as a node selector of a slice. */
    FAILED,
    /** Each request could be served, but not all of them together. */
    NOT_TOGETHER,
    /** A constraint of the claim is not met, or a device lacks its attribute. */
    CONSTRAINT_NOT_MET,
    /** Compatibility groups exclude the device beside those that are allocated. */
    DEVICES_INCOMPATIBLE,
    /** Too little is left of a counter. */
    COUNTERS_EXHAUSTED,
    /** Too little is left of a capacity. */
    CAPACITY_EXHAUSTED,
    /** Other claims hold the devices. */
    DEVICES_IN_USE,
    /** Taints that the request does not tolerate. */
    DEVICES_TAINTED,
    /** Taints that say that the hardware does not work. */
    DEVICES_UNHEALTHY,
    /** A device needs a feature that the node's kubelet does not have. */
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
    /** Devices that select their nodes individually, and not this one. */
    NOT_REACHED,
    /** No device is selected. */
    NO_MATCHING_DEVICE,
    /** There are no devices. */
    NO_DEVICES,
    /** Too many combinations of devices to try them all. */
    UNDECIDED,
    /** No node fits the pod apart from devices. */
    NO_NODE_FITS,
    /** A claim of the pod is missing, being deleted, or in use in a way that stops the pod. */
    CLAIMS_UNAVAILABLE,
    /** A device could not be made ready for the pod: its binding conditions. */
    BINDING_FAILED,
    /** Pods of its PodGroup are missing, or one of them waits for something else. */
    GANG_INCOMPLETE,
    /** There is no place for enough pods of its PodGroup at once. */
    GANG_DOES_NOT_FIT,
    /** Fields have other types than the operator knows. */
    UNREADABLE,
    /** The pod has fields that restrict its placement and that the companion does not take into account. */
    PLACEMENT_NOT_SUPPORTED,
    /** The API server did not store the allocation in time. */
    NOT_STORED;

    /** As the annotations have it, such as {@code DevicesIncompatible}. */
    public String code() {
        return Arrays.stream(name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }
}
