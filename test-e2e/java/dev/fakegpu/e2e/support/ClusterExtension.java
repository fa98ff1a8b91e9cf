package dev.fakegpu.e2e.support;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Gives a test class a control plane and an operator with its default settings. Test classes in a JVM share both if they need the same
 * control plane, so each uses its own namespaces and its own names for cluster-scoped objects. If a test fails, the operators' warnings are
 * printed.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final ClusterExtension cluster = ClusterExtension.withControllerManager();
 * }</pre>
 */
public final class ClusterExtension implements BeforeAllCallback, TestExecutionExceptionHandler {

    /** Who starts operators. */
    private enum OperatorOwner {
        SHARED,
        TEST
    }

    private static final Namespace SHARED = Namespace.create(ClusterExtension.class);

    private final ControlPlaneOptions options;
    private final ControlPlaneExtension controlPlane;
    private final OperatorOwner owner;
    private final List<OperatorProcess> running = new ArrayList<>();

    private ClusterExtension(ControlPlaneOptions options, OperatorOwner owner) {
        this.options = options;
        this.controlPlane = ControlPlaneExtension.with(options);
        this.owner = owner;
    }

    /** A control plane other than those below. */
    public static ClusterExtension with(ControlPlaneOptions options) {
        return new ClusterExtension(options, OperatorOwner.SHARED);
    }

    /** See {@link ControlPlaneOptions#withControllerManager()}. */
    public static ClusterExtension withControllerManager() {
        return with(ControlPlaneOptions.withControllerManager());
    }

    /** See {@link ControlPlaneOptions#withSchedulerAndControllerManager()}. */
    public static ClusterExtension withSchedulerAndControllerManager() {
        return with(ControlPlaneOptions.withSchedulerAndControllerManager());
    }

    /** The same control plane without the shared operator, which is stopped because tests start their own operators. */
    public ClusterExtension withoutOperator() {
        return new ClusterExtension(options, OperatorOwner.TEST);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        controlPlane.beforeAll(context);
        Store operators = context.getStore(StoreScope.LAUNCHER_SESSION, SHARED);
        if (owner == OperatorOwner.SHARED) {
            running.add(
                    operators.computeIfAbsent(controlPlane(), ClusterExtension::startShared, OperatorProcess.class));
        } else {
            OperatorProcess shared = operators.remove(controlPlane(), OperatorProcess.class);
            if (shared != null) {
                shared.close();
            }
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        running.forEach(operator -> System.out.printf(
                "%s failed; last warnings of an operator:%n%s%n",
                context.getDisplayName(), String.join("\n", operator.warnings())));
        throw failure;
    }

    private static OperatorProcess startShared(ControlPlane controlPlane) {
        var operator = OperatorProcess.start(controlPlane, Map.of());
        controlPlane.beforeClose(operator::close);
        return operator;
    }

    public ControlPlane controlPlane() {
        return controlPlane.controlPlane();
    }

    /** A client with administrator access. */
    public KubernetesClient client() {
        return controlPlane.client();
    }

    /** @param settings the environment variables of the operator */
    public OperatorProcess startOperator(Map<String, String> settings) {
        var operator = OperatorProcess.start(controlPlane(), settings);
        running.add(operator);
        return operator;
    }

    /** Creates a scenario in a new namespace; the caller closes it. */
    public ClusterScenario scenario(AllocatorName allocator) {
        return new ClusterScenario(client(), allocator);
    }

    /** FakeGpus that are registered as an extension, or closed by the caller. */
    public FakeGpuFixture fakeGpus() {
        return new FakeGpuFixture(client());
    }
}
