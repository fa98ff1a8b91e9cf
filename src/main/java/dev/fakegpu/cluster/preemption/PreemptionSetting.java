package dev.fakegpu.cluster.preemption;

/** Whether the companion preempts pods; the setting {@value #SETTING} of the operator's ConfigMap. */
public enum PreemptionSetting {
    /** Pods of higher priority wait like other pods. */
    DISABLED,
    /** Pods of lower priority are preempted for them. */
    ENABLED;

    public static final String SETTING = "companion.preemption";
}
