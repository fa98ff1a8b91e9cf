package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.Limits;
import java.util.List;

/** Rules of the API server about DeviceClasses. */
final class ClassRefusals {

    private static final String WHY = "The API server refuses the class.";

    static final List<RefusalRule> ALL = List.of(
            RefusalRule.of(
                    Scope.CLASS,
                    "invalid-class-name",
                    "metadata\\.name:",
                    WHY,
                    "Use a DNS subdomain, such as gpu.example.com.",
                    Sources.validation("ValidateDeviceClass")),
            RefusalRule.of(
                    Scope.CLASS,
                    "class-too-large",
                    "spec\\.(selectors|config)[^:]*: Too (many|long: .* bytes)",
                    WHY,
                    "Keep at most " + Limits.SELECTORS + " selectors, " + Limits.CONFIGURATIONS
                            + " configurations, and 10 KiB in each.",
                    Sources.types("DeviceSelectorsMaxSize = " + Limits.SELECTORS + ", DeviceConfigMaxSize = "
                            + Limits.CONFIGURATIONS + ", CELSelectorExpressionMaxLength = " + Limits.EXPRESSION_BYTES
                            + ", OpaqueParametersMaxLength = 10240")),
            RefusalRule.of(
                    Scope.CLASS,
                    "class-selector-invalid",
                    "spec\\.selectors",
                    "The API server refuses the class; stored otherwise, every claim of the class fails.",
                    "Correct the expression; it has to be a bool, about device.driver, device.attributes and device.capacity.",
                    Sources.validation("validateCELExpression")),
            RefusalRule.of(
                    Scope.CLASS,
                    "class-config-invalid",
                    "spec\\.config",
                    WHY,
                    "Set opaque with the driver's name and an object as parameters.",
                    Sources.validation("validateOpaqueConfiguration, validateRawExtension")),
            RefusalRule.of(
                    Scope.CLASS,
                    "invalid-extended-resource",
                    "spec\\.extendedResourceName",
                    WHY,
                    "Use a domain of your own, such as example.com/gpu.",
                    "pkg/apis/core/v1/helper: IsExtendedResourceName; KEP-5004"),
            RefusalRule.ofAnythingElse(Scope.CLASS, "refused-class"));

    private ClassRefusals() {}
}
