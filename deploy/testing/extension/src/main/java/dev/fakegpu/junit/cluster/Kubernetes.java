package dev.fakegpu.junit.cluster;

import java.nio.file.Path;
import java.util.Map;

/** A control plane, which may still be starting. */
interface Kubernetes extends AutoCloseable {

    /** Lets in an administrator. */
    Path kubeconfig();

    /**
     * Returns when it serves requests.
     *
     * @throws ClusterException if it does not
     */
    default void awaitReady() {}

    /** Whether it was made for the tests, so that everything in it is theirs. */
    boolean isOwn();

    /**
     * Runs an image of the operator beside it.
     *
     * @param environment variables of the operator
     * @throws ClusterException if no containers run there
     */
    default OperatorRun startOperator(String image, Map<String, String> environment) {
        throw new ClusterException(
                "%s: an image of the operator runs only beside Kubernetes in containers; also set %s=containers"
                        .formatted(Option.OPERATOR_IMAGE.property(), Option.SOURCE.property()));
    }

    /** Ends it, unless somebody else runs it. */
    @Override
    void close();
}
