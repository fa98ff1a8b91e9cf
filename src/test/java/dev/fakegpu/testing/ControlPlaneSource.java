package dev.fakegpu.testing;

import java.nio.file.Path;

/**
 * Where a control plane comes from. The environment variable {@code FAKEGPU_TEST_CONTROL_PLANE} chooses; see {@link
 * #configured()}.
 */
interface ControlPlaneSource {

    /** Starts one and returns when it serves requests. It ends at the latest when this JVM does, also if the run is aborted. */
    Instance start(ControlPlaneOptions options);

    /** One that runs. */
    interface Instance extends AutoCloseable {

        /** Lets in an administrator. */
        Path kubeconfig();

        /**
         * Ends all programs but etcd and starts them with other options, on what is stored. How to get in stays the same.
         *
         * @throws UnsupportedOperationException if such a control plane cannot be restarted
         */
        default void restart(ControlPlaneOptions options) {
            throw new UnsupportedOperationException(
                    "a control plane of this source cannot be restarted; unset FAKEGPU_TEST_CONTROL_PLANE");
        }

        /**
         * Kills the API server, and returns when it has ended. {@link #restart} starts it again.
         *
         * @throws UnsupportedOperationException if it cannot be killed alone
         */
        default void killApiServer() {
            throw new UnsupportedOperationException(
                    "the API server of this source cannot be killed; unset FAKEGPU_TEST_CONTROL_PLANE");
        }

        /**
         * Keeps a copy of what is stored.
         *
         * @throws UnsupportedOperationException if such a control plane cannot do that
         */
        default void snapshot() {
            throw new UnsupportedOperationException(
                    "there are no snapshots of a control plane of this source; unset FAKEGPU_TEST_CONTROL_PLANE");
        }

        /** Restarts all programs with what was stored when the snapshot was made, the resource versions of that time included. */
        default void restore(ControlPlaneOptions options) {
            throw new UnsupportedOperationException("there is no snapshot");
        }

        /** Ends it, and returns when nothing of it is left. May be called more than once. */
        @Override
        void close();
    }

    /** The source that the environment asks for, {@code hack/control-plane} if it asks for none. */
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
