package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Taints and resources of nodes, and the amounts of quotas: {@code ValidateNode}, {@code ValidateResourceQuotaSpec}. */
final class NodeValidation {

    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    /** Resources with integer amounts ({@code IsIntegerResourceName}). */
    private static final Set<String> COUNTED = Set.of(
            "pods",
            "resourcequotas",
            "services",
            "replicationcontrollers",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "services.nodeports",
            "services.loadbalancers");

    private static final Set<String> MEASURED_BY_QUOTAS = Set.of(
            "cpu",
            "memory",
            "ephemeral-storage",
            "requests.cpu",
            "requests.memory",
            "requests.storage",
            "requests.ephemeral-storage",
            "limits.cpu",
            "limits.memory",
            "limits.ephemeral-storage");

    private NodeValidation() {}

    /** The API server reports taints under {@code metadata}. */
    static void check(JsonNode node, FieldErrors errors) {
        taints(node.path("spec").path("taints"), "metadata.taints", errors);
        for (String field : List.of("capacity", "allocatable")) {
            node.path("status").path(field).properties().forEach(entry -> {
                amount(entry.getKey(), entry.getValue(), "status." + field + "." + entry.getKey(), errors);
            });
        }
    }

    /** {@code validateNodeTaints}. */
    private static void taints(JsonNode taints, String path, FieldErrors errors) {
        var seen = new HashSet<List<String>>();
        for (int i = 0; i < taints.size(); i++) {
            String at = path + "[" + i + "]";
            String key = taints.get(i).path("key").asText();
            String value = taints.get(i).path("value").asText();
            String effect = taints.get(i).path("effect").asText();
            errors.invalid(at + ".key", key, NameFormat.labelKey(key));
            List<String> problems = NameFormat.labelValue(value);
            if (!problems.isEmpty()) {
                errors.invalid(at + ".value", value, String.join(";", problems));
            }
            if (effect.isEmpty()) {
                errors.required(at + ".effect", "");
            } else if (!EFFECTS.contains(effect)) {
                errors.unsupported(at + ".effect", effect, EFFECTS);
            }
            if (!seen.add(List.of(key, effect))) {
                errors.duplicate(at, internal(key, value, effect), "taints must be unique by key and effect pair");
            }
        }
    }

    /** Uses the field names of the internal version, which the API server shows. */
    private static JsonNode internal(String key, String value, String effect) {
        ObjectNode taint = JsonNodeFactory.instance.objectNode();
        return taint.put("Key", key).put("Value", value).put("Effect", effect).putNull("TimeAdded");
    }

    /** {@code ValidateResourceQuotaSpec}, without scopes. */
    static void quota(JsonNode spec, FieldErrors errors) {
        spec.path("hard").properties().forEach(entry -> {
            String resource = entry.getKey();
            String path = "spec.hard[" + resource + "]";
            resourceName(resource, path, errors);
            if (!resource.contains("/") && !isOfQuotas(resource)) {
                errors.invalid(path, resource, "must be a standard resource for quota");
            }
            amount(resource, entry.getValue(), path, errors);
        });
    }

    /**
     * Adds the problems of the name of a resource of any kind ({@code validateResourceName}).
     *
     * @return whether there are none
     */
    static boolean resourceName(String name, String path, FieldErrors errors) {
        List<String> problems = NameFormat.labelKey(name);
        errors.invalid(path, name, problems);
        boolean isKnown = name.contains("/") || name.equals("storage") || isOfQuotas(name);
        if (problems.isEmpty() && !isKnown) {
            errors.invalid(path, name, "must be a standard resource type or fully qualified");
        }
        return problems.isEmpty() && isKnown;
    }

    private static boolean isOfQuotas(String resource) {
        return MEASURED_BY_QUOTAS.contains(resource)
                || COUNTED.contains(resource)
                || resource.startsWith("hugepages-")
                || resource.startsWith("requests.hugepages-");
    }

    /** {@code ValidateResourceQuantityValue}. */
    private static void amount(String resource, JsonNode value, String path, FieldErrors errors) {
        Quantities.of(value).ifPresent(quantity -> {
            if (quantity.signum() < 0) {
                errors.invalid(path, value, "must be greater than or equal to 0");
            }
            BigDecimal rest = quantity.value().remainder(BigDecimal.ONE);
            if (rest.signum() != 0 && (COUNTED.contains(resource) || NameFormat.isExtendedResource(resource))) {
                errors.invalid(path, value, "must be an integer");
            }
        });
    }
}
