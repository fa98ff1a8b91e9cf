package dev.fakegpu.junit.cluster;

import java.nio.file.Path;
import java.util.Map;

/** A control plane, which may still be starting. */
interface Kubernetes extends AutoCloseable {

    /** A kubeconfig with administrator access. */
    Path kubeconfig();

    /**
     * Returns when it serves requests.
     *
     * @throws ClusterException if it does not
     */
    default void awaitReady() {}

    /** Whether it was started for the tests, so that everything in it belongs to them. */
    boolean isOwn();

    /**
     * Runs an image of the operator next to it.
     *
     * @param environment the operator's environment variables
     * @throws ClusterException if it cannot run containers
     */
    default OperatorRun startOperator(String image, Map<String, String> environment) {
        throw new ClusterException(
                "%s: an image of the operator runs only beside Kubernetes in containers; also set %s=containers"
                        .formatted(Option.OPERATOR_IMAGE.property(), Option.SOURCE.property()));
    }

    /** Stops it, unless it was not started by the tests. */
    @Override
    void close();
}
