package dev.fakegpu.cluster.check;

/** The sources of rules, for {@link Rule#source}. Functions and constants are those of Kubernetes 1.37. */
final class Sources {

    private Sources() {}

    /** A function of the API server's validation. */
    static String validation(String function) {
        return "pkg/apis/resource/validation: " + function;
    }

    /** A constant or a validation tag of the API's types. */
    static String types(String what) {
        return "k8s.io/api/resource/v1: " + what;
    }

    /** Behavior of kube-scheduler's allocator. */
    static String allocator(String what) {
        return "k8s.io/dynamic-resource-allocation/structured: " + what;
    }

    static String kep(String numberAndTitle) {
        return "KEP-" + numberAndTitle;
    }
}
