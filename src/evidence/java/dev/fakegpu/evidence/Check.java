package dev.fakegpu.evidence;

/**
 * A statement of a KEP, and what was observed.
 *
 * @param id the identifier for other parts of the report
 * @param section the section of the KEP
 * @param says the KEP's statement, shortened
 * @param expected what must be observed if the statement is true
 * @param observed what was observed, in the same wording
 * @param steps the steps as YAML that reproduces them
 */
record Check(String id, Topic topic, String section, String says, String expected, String observed, String steps) {

    /** The parts of a report. */
    enum Topic {
        OFF("Feature off"),
        ON("Feature on"),
        SNAPSHOT("Groups recorded at allocation, and groups in slices"),
        UPGRADE("Upgrade: off, then on, with existing slices and allocations"),
        SCHEDULER_OFF("On in kube-apiserver, off in kube-scheduler"),
        ROLLBACK("Downgrade: on, then off, then on again, with existing slices and allocations"),
        DEPENDENCY("Without DRAPartitionableDevices"),
        AWAY("API server or etcd unavailable"),
        MANIFESTS("The KEP's manifests, unchanged"),
        LISTS("Lists: switched off, and on again"),
        SHARES("Shares: switched off, and on again"),
        SHARE_UPDATES("Changes of devices in use"),
        POOL_STATUS("ResourcePoolStatusRequest");

        private final String title;

        Topic(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    boolean agrees() {
        return expected.equals(observed);
    }

    String verdict() {
        return agrees() ? "as the KEP says" : "**differs**";
    }
}
