package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.Limits;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Rules of the API server about what users create. */
final class ObjectRefusals {

    /** Matches the path in claims and in claim templates. */
    private static final String DEVICES = "spec(\\.spec)?\\.devices\\.";

    private static final String REQUEST = DEVICES + "requests\\[](\\.exactly|\\.firstAvailable\\[])?";
    private static final String OF_CLAIM = "The API server refuses the claim, or the template of claims.";
    private static final String OF_POD =
            "The API server refuses the pod; of a workload it refuses the template of pods.";

    static final RefusalRule UNREADABLE = of(
            "unreadable-field",
            "",
            "The API server refuses a value of another shape, and with strict validation, as of kubectl, a field that it does not know;"
                    + " otherwise it drops that. It also refuses an object without a name or its spec, or of a version that it does not serve.",
            "Correct the spelling, the indentation, the shape or the version, or add what is missing.",
            "k8s.io/apimachinery/pkg/runtime/serializer/json: strict decoding");

    private static final List<RefusalRule> CLAIMS = List.of(
            of(
                    "claim-too-large",
                    DEVICES + "[^:]*: Too (many|long: .* bytes)",
                    OF_CLAIM,
                    "Keep at most " + Limits.REQUESTS + " requests, " + Limits.CONSTRAINTS + " constraints, "
                            + Limits.CONFIGURATIONS + " configurations, and " + Limits.ALTERNATIVES
                            + " alternatives of a request.",
                    Sources.types("DeviceRequestsMaxSize = " + Limits.REQUESTS
                            + ", FirstAvailableDeviceRequestMaxSize = " + Limits.ALTERNATIVES)),
            of(
                    "claim-selector-invalid",
                    REQUEST + "\\.selectors",
                    OF_CLAIM,
                    "Correct the expression; it has to be a bool, about device.driver, device.attributes and device.capacity.",
                    Sources.validation("validateCELExpression")),
            of(
                    "claim-request-invalid",
                    DEVICES + "requests",
                    OF_CLAIM,
                    "Give each request its own name, and either exactly or firstAvailable with a class and what it asks for.",
                    Sources.validation("validateDeviceRequest, validateDeviceSubRequest")),
            of(
                    "claim-constraint-invalid",
                    DEVICES + "constraints",
                    OF_CLAIM,
                    "Name requests of the claim, and one attribute with its domain, such as resource.kubernetes.io/pcieRoot.",
                    Sources.validation("validateDeviceConstraint")),
            of(
                    "claim-config-invalid",
                    DEVICES + "config",
                    OF_CLAIM,
                    "Name requests of the claim, and set opaque with the driver's name and an object as parameters.",
                    Sources.validation("validateDeviceClaimConfiguration")),
            RefusalRule.ofAnythingElse(Scope.OBJECT, "refused-claim"));

    private static final List<RefusalRule> TAINT_RULES = List.of(
            of(
                    "taint-rule-invalid",
                    "spec\\.",
                    "The API server refuses the DeviceTaintRule, so no device gets the taint.",
                    "Correct the driver, pool or device, or the key, value or effect of the taint, as the message says.",
                    Sources.validation("validateDeviceTaintRuleSpec")),
            RefusalRule.ofAnythingElse(Scope.OBJECT, "refused-taint-rule"));

    private static final List<RefusalRule> PODS = List.of(
            of(
                    "pod-claim-invalid",
                    "spec\\.(.*\\.)?(resourceClaims|resources\\.claims)",
                    OF_POD,
                    "Name a claim or a template in each of spec.resourceClaims, and in containers what spec.resourceClaims has.",
                    "pkg/apis/core/validation: validatePodResourceClaims, validateResourceClaimNames"),
            of(
                    "pod-resources-invalid",
                    "spec\\.(.*\\.)?resources",
                    OF_POD,
                    "Write whole numbers of extended resources, as limits, too, and no more requests than limits.",
                    "pkg/apis/core/validation: ValidateContainerResourceRequirements"),
            RefusalRule.ofAnythingElse(Scope.OBJECT, "refused-pod"));

    private static final List<RefusalRule> OTHERS = List.of(RefusalRule.ofAnythingElse(Scope.OBJECT, "refused-object"));

    private static final Map<String, List<RefusalRule>> OF_KINDS = Map.of(
            "ResourceClaim", CLAIMS,
            "ResourceClaimTemplate", CLAIMS,
            "DeviceTaintRule", TAINT_RULES,
            "Node", OTHERS,
            "Namespace", OTHERS,
            "PodGroup", OTHERS,
            "PriorityClass", OTHERS);

    static final List<Rule> RULES = Stream.of(List.of(UNREADABLE), CLAIMS, TAINT_RULES, PODS, OTHERS)
            .flatMap(List::stream)
            .map(RefusalRule::rule)
            .toList();

    private ObjectRefusals() {}

    /** Kinds without rules of their own here have pods. */
    static List<RefusalRule> of(String kind) {
        return OF_KINDS.getOrDefault(kind, PODS);
    }

    private static RefusalRule of(String name, String errors, String why, String fix, String source) {
        return RefusalRule.of(Scope.OBJECT, name, errors, why, fix, source);
    }
}
