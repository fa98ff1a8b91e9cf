package dev.fakegpu.simulate.controller;

import java.time.Instant;

/**
 * When a pod must be evicted.
 *
 * @param by the manager that evicts the pod
 * @param cause the taint, and the object that has it
 */
record DueEviction(Instant at, Manager by, String cause) {

    /** The managers that evict pods, with the texts of their Events and of the condition {@code DisruptionTarget}. */
    enum Manager {
        /** {@code pkg/controller/devicetainteviction}. */
        DEVICE_TAINT(
                "DeviceTaintManagerEviction",
                "Marking for deletion",
                "Cancelling deletion",
                "DeletionByDeviceTaintManager",
                "Device Taint manager: deleting due to NoExecute taint"),
        /** {@code pkg/controller/tainteviction}. */
        TAINT(
                "TaintManagerEviction",
                "Marking for deletion Pod %s",
                "Cancelling deletion of Pod %s",
                "DeletionByTaintManager",
                "Taint manager: deleting due to NoExecute taint");

        final String event;
        final String deletes;
        final String cancels;
        final String conditionReason;
        final String conditionMessage;

        Manager(String event, String deletes, String cancels, String conditionReason, String conditionMessage) {
            this.event = event;
            this.deletes = deletes;
            this.cancels = cancels;
            this.conditionReason = conditionReason;
            this.conditionMessage = conditionMessage;
        }
    }
}
