package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.fakegpu.cluster.fit.PodRequests;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * The containers and resources of pods: {@code validatePodResourceClaims} and {@code ValidateContainerResourceRequirements} of {@code
 * pkg/apis/core/validation}.
 */
final class PodValidation {

    private static final Set<String> STANDARD = Set.of("cpu", "memory", "ephemeral-storage");
    private static final List<String> RESTART_POLICIES = List.of("Always", "OnFailure", "Never");
    private static final String HUGE_PAGES = "hugepages-";

    private final FieldErrors errors;
    private final TreeSet<String> claims = new TreeSet<>();
    private final Set<String> containers = new HashSet<>();

    private final boolean isTemplate;

    private PodValidation(FieldErrors errors, boolean isTemplate) {
        this.errors = errors;
        this.isTemplate = isTemplate;
    }

    static void check(JsonNode spec, FieldErrors errors) {
        new PodValidation(errors, false).check(spec, "spec");
    }

    /** @param path the path of the template's spec */
    static void template(JsonNode spec, String path, FieldErrors errors) {
        new PodValidation(errors, true).check(spec, path);
    }

    private void check(JsonNode spec, String path) {
        claims(spec.path("resourceClaims"), path + ".resourceClaims");
        for (String field : List.of("containers", "initContainers")) {
            containers(spec.path(field), path + "." + field);
            ResizePolicyValidation.check(spec, field, path, errors);
        }
        PortValidation.check(spec, path, isTemplate, errors);
        if (spec.path("containers").isEmpty()) {
            errors.required(path + ".containers", "");
        }
        String policy = spec.path("restartPolicy").asText("");
        if (!policy.isEmpty() && !RESTART_POLICIES.contains(policy)) {
            errors.unsupported(path + ".restartPolicy", policy, RESTART_POLICIES);
        }
        if (spec.hasNonNull("resources")) {
            new PodLevelValidation(errors, spec, isTemplate, path).check(this::resources);
        }
    }

    /** The fields of containers of all kinds: {@code validateContainerCommon}, as far as it is relevant here. */
    private void containers(JsonNode list, String path) {
        for (int i = 0; i < list.size(); i++) {
            JsonNode container = list.get(i);
            String at = path + "[" + i + "]";
            String name = container.path("name").asText();
            if (name.isEmpty()) {
                errors.required(at + ".name", "");
            } else {
                errors.invalid(at + ".name", name, NameFormat.label(name));
            }
            if (!containers.add(name)) {
                errors.duplicate(at + ".name", TextNode.valueOf(name));
            }
            if (container.path("image").asText().isEmpty()) {
                errors.required(at + ".image", "");
            }
            JsonNode resources = container.path("resources");
            resources(isTemplate ? resources : withDefaults(resources), at + ".resources", this::nameOfContainer);
        }
    }

    private void claims(JsonNode list, String path) {
        for (int i = 0; i < list.size(); i++) {
            JsonNode claim = list.get(i);
            String at = path + "[" + i + "]";
            String name = claim.path("name").asText();
            if (name.isEmpty()) {
                errors.required(at + ".name", "");
            } else if (claims.add(name)) {
                errors.invalid(at + ".name", name, NameFormat.label(name));
            } else {
                errors.duplicate(at + ".name", TextNode.valueOf(name));
            }
            source(claim, at);
        }
    }

    private void source(JsonNode claim, String path) {
        boolean isNamed = claim.hasNonNull("resourceClaimName");
        boolean isTemplate = claim.hasNonNull("resourceClaimTemplateName");
        if (isNamed && isTemplate) {
            errors.invalid(
                    path,
                    internal(claim),
                    "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
        } else if (!isNamed && !isTemplate) {
            errors.invalid(
                    path, internal(claim), "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
        }
        for (String field : List.of("resourceClaimName", "resourceClaimTemplateName")) {
            if (claim.hasNonNull(field)) {
                String name = claim.path(field).asText();
                errors.invalid(path + "." + field, name, NameFormat.subdomain(name));
            }
        }
    }

    /** Uses the field names of the internal version, which the API server shows. */
    private static JsonNode internal(JsonNode claim) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.set("Name", claim.path("name"));
        for (String field : List.of("ResourceClaimName", "ResourceClaimTemplateName")) {
            JsonNode name = claim.path("r" + field.substring(1));
            shown.set(field, name.isMissingNode() ? NullNode.getInstance() : name);
        }
        return shown;
    }

    /** {@code validateResourceRequirements}. */
    private void resources(JsonNode resources, String path, BiConsumer<String, String> checkName) {
        JsonNode limits = resources.path("limits");
        JsonNode requests = resources.path("requests");
        limits.properties().forEach(entry -> {
            checkName.accept(entry.getKey(), path + ".limits[" + entry.getKey() + "]");
            resource(entry.getKey(), entry.getValue(), path + ".limits");
        });
        requests.properties().forEach(entry -> {
            checkName.accept(entry.getKey(), path + ".requests[" + entry.getKey() + "]");
            resource(entry.getKey(), entry.getValue(), path + ".requests");
            limit(entry.getKey(), entry.getValue(), limits.path(entry.getKey()), path);
        });
        var names = new HashSet<String>();
        Stream.of(limits, requests).forEach(each -> each.fieldNames().forEachRemaining(names::add));
        if (names.stream().anyMatch(PodRequests::isHugePages) && !names.contains("cpu") && !names.contains("memory")) {
            errors.forbidden(path, "HugePages require cpu or memory");
        }
        references(resources.path("claims"), path + ".claims");
    }

    /** By default as much is requested as the limit says, but not in templates ({@code SetDefaults_Pod}). */
    private static JsonNode withDefaults(JsonNode resources) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        resources.properties().forEach(field -> all.set(field.getKey(), field.getValue()));
        ObjectNode requests = all.putObject("requests");
        for (String field : List.of("limits", "requests")) {
            resources.path(field).properties().forEach(each -> requests.set(each.getKey(), each.getValue()));
        }
        return all;
    }

    /** {@code ValidateContainerResourceName}. */
    private void nameOfContainer(String name, String at) {
        NodeValidation.resourceName(name, at, errors);
        if (!name.contains("/") && !STANDARD.contains(name) && !name.startsWith(HUGE_PAGES)) {
            errors.invalid(at, name, "must be a standard resource for containers");
        } else if (isExtended(name) && !NameFormat.isExtendedResource(name)) {
            errors.invalid(at, name, "doesn't follow extended resource name standard");
        }
    }

    private void resource(String name, JsonNode value, String path) {
        String at = path + "[" + name + "]";
        boolean isHugePages = name.startsWith(HUGE_PAGES);
        Optional<BigDecimal> amount = amount(value);
        if (amount.filter(each -> each.signum() < 0).isPresent()) {
            errors.invalid(at, value, "must be greater than or equal to 0");
        }
        if (isExtended(name) && amount.filter(PodValidation::isFraction).isPresent()) {
            errors.invalid(at, value, "must be an integer");
        }
        if (isHugePages && amount.filter(each -> !isWhole(each, name)).isPresent()) {
            errors.invalid(at, value, value.asText() + " is not positive integer multiple of " + name);
        }
    }

    /** Whether the amount is a whole number of pages ({@code IsHugePageResourceValueDivisible}). */
    private static boolean isWhole(BigDecimal amount, String name) {
        return amount(TextNode.valueOf(name.substring(HUGE_PAGES.length())))
                .filter(page -> page.signum() > 0 && amount.remainder(page).signum() == 0)
                .isPresent();
    }

    private static boolean isFraction(BigDecimal amount) {
        return amount.stripTrailingZeros().scale() > 0;
    }

    /** For extended resources, the request must equal the limit; for others, it must not exceed it. */
    private void limit(String name, JsonNode request, JsonNode limit, String path) {
        boolean isExact = isExtended(name) || name.startsWith(HUGE_PAGES);
        if (limit.isMissingNode() || limit.isNull()) {
            if (isExact) {
                errors.required(path + ".limits", "Limit must be set for non overcommitable resources");
            }
            return;
        }
        Optional<Integer> order = amount(request).flatMap(one -> amount(limit).map(one::compareTo));
        if (order.isPresent() && isExact && order.get() != 0) {
            errors.invalid(
                    path + ".requests", request.asText(), "must be equal to " + name + " limit of " + limit.asText());
        } else if (order.isPresent() && order.get() > 0) {
            errors.invalid(
                    path + ".requests",
                    request.asText(),
                    "must be less than or equal to " + name + " limit of " + limit.asText());
        }
    }

    private static boolean isExtended(String name) {
        return name.contains("/") && !name.contains("kubernetes.io/");
    }

    private static Optional<BigDecimal> amount(JsonNode value) {
        return Quantities.of(value).map(Quantity::value);
    }

    /** {@code validateResourceClaimNames}. */
    private void references(JsonNode list, String path) {
        var seen = new HashSet<String>();
        for (int i = 0; i < list.size(); i++) {
            String at = path + "[" + i + "]";
            String name = list.get(i).path("name").asText();
            if (name.isEmpty()) {
                errors.required(at, "");
            } else {
                reference(name, list.get(i).path("request").asText(), at, seen);
            }
        }
    }

    private void reference(String name, String request, String path, Set<String> seen) {
        String key = request.isEmpty() ? name : name + "/" + request;
        if (!request.isEmpty() && !seen.contains(name)) {
            errors.invalid(path + ".request", request, NameFormat.label(request));
        }
        boolean overlaps = request.isEmpty() && seen.stream().anyMatch(other -> other.startsWith(name + "/"));
        if (seen.contains(name) || overlaps) {
            errors.duplicate(path, TextNode.valueOf(name));
        } else if (!seen.add(key)) {
            errors.duplicate(path, TextNode.valueOf(key));
        }
        if (!claims.contains(name)) {
            errors.notFound(
                    path,
                    name,
                    "must be one of the names in pod.spec.resourceClaims"
                            + (claims.isEmpty() ? " which is empty" : ": " + String.join(", ", claims)));
        }
    }
}
