package dev.fakegpu.testing;

import java.nio.file.Path;

/**
 * Starts control planes. The environment variable {@code FAKEGPU_TEST_CONTROL_PLANE} chooses the implementation; see {@link #configured()}.
 */
interface ControlPlaneSource {

    /** Starts a control plane, and returns when it serves requests. It ends with this JVM at the latest, even if the run is aborted. */
    Instance start(ControlPlaneOptions options);

    /** A running control plane. */
    interface Instance extends AutoCloseable {

        /** A kubeconfig with administrator access. */
        Path kubeconfig();

        /**
         * Stops all programs except etcd, and starts them with other options and the stored data. The kubeconfig remains valid.
         *
         * @throws UnsupportedOperationException if this control plane cannot be restarted
         */
        default void restart(ControlPlaneOptions options) {
            throw new UnsupportedOperationException(
                    "a control plane of this source cannot be restarted; unset FAKEGPU_TEST_CONTROL_PLANE");
        }

        /**
         * Kills the API server, and returns when it has ended. {@link #restart} starts it again.
         *
         * @throws UnsupportedOperationException if the API server cannot be killed alone
         */
        default void killApiServer() {
            throw new UnsupportedOperationException(
                    "the API server of this source cannot be killed; unset FAKEGPU_TEST_CONTROL_PLANE");
        }

        /**
         * Keeps a copy of the stored data.
         *
         * @throws UnsupportedOperationException if this control plane cannot do that
         */
        default void snapshot() {
            throw new UnsupportedOperationException(
                    "there are no snapshots of a control plane of this source; unset FAKEGPU_TEST_CONTROL_PLANE");
        }

        /** Restarts all programs with the data of the snapshot, including the resource versions of that time. */
        default void restore(ControlPlaneOptions options) {
            throw new UnsupportedOperationException("there is no snapshot");
        }

        /** Ends the control plane, and returns when nothing of it is left. May be called more than once. */
        @Override
        void close();
    }

    /** The source that the environment variable selects; the default is {@code hack/control-plane}. */
    static ControlPlaneSource configured() {
        String name = System.getenv().getOrDefault("FAKEGPU_TEST_CONTROL_PLANE", "script");
        return switch (name) {
            case "", "script" -> new ScriptControlPlaneSource();
            case "testcontainers" -> new TestcontainersControlPlaneSource();
            default ->
                throw new IllegalStateException("FAKEGPU_TEST_CONTROL_PLANE is \"" + name
                        + "\"; set it to \"script\" or \"testcontainers\", or leave it unset");
        };
    }
}
