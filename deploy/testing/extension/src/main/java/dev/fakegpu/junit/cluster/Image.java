package dev.fakegpu.junit.cluster;

import java.util.Optional;

/** The images of Kubernetes' programs. */
enum Image {
    ETCD("etcd", Option.ETCD_IMAGE),
    API_SERVER("kube-apiserver", Option.API_SERVER_IMAGE),
    CONTROLLER_MANAGER("kube-controller-manager", Option.CONTROLLER_MANAGER_IMAGE),
    SCHEDULER("kube-scheduler", Option.SCHEDULER_IMAGE);

    private static final String DEFAULT_REGISTRY = "registry.k8s.io";

    /** The default of kubeadm for the newest version of Kubernetes; it also works with older versions. */
    private static final String ETCD_VERSION = "3.7.0-0";

    private final String program;
    private final Option option;

    Image(String program, Option option) {
        this.program = program;
        this.option = option;
    }

    /** The program in the image. */
    String program() {
        return program;
    }

    /**
     * The full name of the image, which an option can override.
     *
     * @param version the version of Kubernetes
     */
    String name(String version) {
        return name(version, option.value(), Option.REGISTRY.value());
    }

    String name(String version, Optional<String> whole, Optional<String> registry) {
        return whole.orElseGet(() -> registry.orElse(DEFAULT_REGISTRY).replaceAll("/+$", "") + "/" + program + ":"
                + (this == ETCD ? ETCD_VERSION : version));
    }
}
