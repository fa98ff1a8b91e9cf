package dev.fakegpu.testing;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/**
 * Gives a test class a control plane. Test classes of a JVM that ask for the same options share one, so each works in namespaces and with
 * cluster-scoped names of its own.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();
 * }</pre>
 */
public final class ControlPlaneExtension implements BeforeAllCallback {

    private static final Namespace SHARED = Namespace.create(ControlPlaneExtension.class);

    private final ControlPlaneOptions options;
    private @Nullable ControlPlane controlPlane;

    private ControlPlaneExtension(ControlPlaneOptions options) {
        this.options = options;
    }

    /** Any other than the usual ones below. */
    public static ControlPlaneExtension with(ControlPlaneOptions options) {
        return new ControlPlaneExtension(options);
    }

    /** See {@link ControlPlaneOptions#apiServerOnly()}. */
    public static ControlPlaneExtension apiServerOnly() {
        return with(ControlPlaneOptions.apiServerOnly());
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // The session's store closes them when the last test class of this JVM has ended.
        controlPlane = context.getStore(StoreScope.LAUNCHER_SESSION, SHARED)
                .computeIfAbsent(SharedControlPlanes.class, key -> new SharedControlPlanes(), SharedControlPlanes.class)
                .get(options);
    }

    public ControlPlane controlPlane() {
        if (controlPlane == null) {
            throw new IllegalStateException("the control plane is there from @BeforeAll on, in a class that registers "
                    + "this extension in a static field");
        }
        return controlPlane;
    }

    /** See {@link ControlPlane#client()}. */
    public KubernetesClient client() {
        return controlPlane().client();
    }

    /** See {@link ControlPlane#kubeconfig()}. */
    public Path kubeconfig() {
        return controlPlane().kubeconfig();
    }
}
