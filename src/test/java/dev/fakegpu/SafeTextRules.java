package dev.fakegpu;

import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.junit.ArchTest;
import dev.fakegpu.util.SafeText;
import java.util.List;
import java.util.Set;

/** Text that users wrote is sanitized wherever it leaves the process. Part of {@link ArchitectureTest}. */
final class SafeTextRules {

    private SafeTextRules() {}

    /** Methods of the client's model, of the kubelet's protocols and of gRPC that accept text for people. */
    private static final Set<String> TEXT_SETTERS =
            Set.of("withMessage", "setMessage", "withNote", "setError", "withDescription", "addToAnnotations");

    /**
     * Methods that copy a condition unchanged, keep a response of the API server for the log, or use constant text, names that the API
     * server has validated, or text of the caller.
     */
    private static final Set<String> COPIES_OR_CONSTANTS = Set.of(
            "dev.fakegpu.api.RegisteredDrivers.condition",
            "dev.fakegpu.kube.events.EventRecorder.update",
            "dev.fakegpu.kube.client.ClaimBytes.condition",
            "dev.fakegpu.kube.client.ClaimByteWriter.failure",
            "dev.fakegpu.dashboard.server.NameReplacements.condition",
            "dev.fakegpu.cluster.fit.ExtendedResourceClaim.of",
            "dev.fakegpu.simulate.controller.JobController.indexed",
            "dev.fakegpu.operator.prepare.plugin.HealthService.close",
            "dev.fakegpu.operator.prepare.plugin.CallLimit.interceptCall");

    /** Messages of events, conditions and health, and responses to the kubelet, may contain text of users. */
    @ArchTest
    static void messagesLeaveThroughSafeText(JavaClasses classes) {
        List<JavaMethodCall> calls = classes.stream()
                .flatMap(type -> type.getMethodCallsFromSelf().stream())
                .filter(SafeTextRules::setsText)
                .toList();
        assertThat(calls).hasSizeGreaterThan(10);
        assertThat(calls.stream()
                        .filter(call -> !COPIES_OR_CONSTANTS.contains(call.getOriginOwner()
                                        .getFullName() + "." + call.getOrigin().getName()))
                        .filter(call -> call.getOrigin().getMethodCallsFromSelf().stream()
                                .noneMatch(other -> other.getTargetOwner().isEquivalentTo(SafeText.class)))
                        .map(JavaMethodCall::getDescription))
                .isEmpty();
    }

    private static boolean setsText(JavaMethodCall call) {
        return TEXT_SETTERS.contains(call.getName())
                && nameMatching(
                                "(io\\.fabric8\\.kubernetes\\.api\\.model|dev\\.fakegpu\\.prepare\\.plugin\\.proto|io\\.grpc)\\..*")
                        .test(call.getTargetOwner())
                && !call.getOriginOwner().getPackageName().startsWith("dev.fakegpu.operator.prepare.plugin.proto");
    }
}
