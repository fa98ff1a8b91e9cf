package dev.fakegpu.testing;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/**
 * Gives a test class a control plane. Test classes in a JVM share it if they have the same options, so each uses its own namespaces and its
 * own names for cluster-scoped objects.
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

    /** A control plane with other options than those below. */
    public static ControlPlaneExtension with(ControlPlaneOptions options) {
        return new ControlPlaneExtension(options);
    }

    /** See {@link ControlPlaneOptions#apiServerOnly()}. */
    public static ControlPlaneExtension apiServerOnly() {
        return with(ControlPlaneOptions.apiServerOnly());
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // The session's store closes them after the last test class of this JVM.
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
