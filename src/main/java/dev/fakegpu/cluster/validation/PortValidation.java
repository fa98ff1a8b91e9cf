package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The ports of containers: {@code validateContainerPorts}, {@code checkHostPortConflicts} and {@code validatePodHostNetworkDeps}. */
final class PortValidation {

    private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");
    private static final int MAX_NAME_LENGTH = 15;
    private static final int HIGHEST = 65_535;

    private final FieldErrors errors;
    private final boolean isHostNetwork;
    private final boolean isTemplate;

    private PortValidation(FieldErrors errors, boolean isHostNetwork, boolean isTemplate) {
        this.errors = errors;
        this.isHostNetwork = isHostNetwork;
        this.isTemplate = isTemplate;
    }

    /**
     * Checks the ports of all containers of a pod.
     *
     * @param path of the spec
     */
    static void check(JsonNode spec, String path, boolean isTemplate, FieldErrors errors) {
        new PortValidation(errors, spec.path("hostNetwork").asBoolean(), isTemplate).check(spec, path);
    }

    private void check(JsonNode spec, String path) {
        var used = new HashSet<String>();
        for (int i = 0; i < spec.path("containers").size(); i++) {
            JsonNode ports = spec.path("containers").get(i).path("ports");
            String at = path + ".containers[" + i + "].ports";
            ports(ports, at);
            conflicts(ports, at, used);
            for (int j = 0; isHostNetwork && j < ports.size(); j++) {
                JsonNode port = ports.get(j);
                if (hostPort(port) != 0
                        && hostPort(port) != port.path("containerPort").asInt()) {
                    errors.invalid(
                            at + "[" + j + "].hostPort",
                            hostPort(port),
                            "must match `containerPort` when `hostNetwork` is true");
                }
            }
        }
        for (int i = 0; i < spec.path("initContainers").size(); i++) {
            JsonNode ports = spec.path("initContainers").get(i).path("ports");
            ports(ports, path + ".initContainers[" + i + "].ports");
            conflicts(ports, path + ".initContainers[0].ports", new HashSet<>()); // the API server always says 0
        }
    }

    private void ports(JsonNode list, String path) {
        var names = new HashSet<String>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode port = list.get(i);
            String at = path + "[" + i + "]";
            name(port.path("name").asText(""), at + ".name", names);
            if (port.path("containerPort").asInt() == 0) {
                errors.required(at + ".containerPort", "");
            } else {
                number(port.path("containerPort").asInt(), at + ".containerPort");
            }
            if (hostPort(port) != 0) {
                number(hostPort(port), at + ".hostPort");
            }
            if (!PROTOCOLS.contains(protocol(port))) {
                errors.unsupported(at + ".protocol", protocol(port), PROTOCOLS);
            }
        }
    }

    private void name(String name, String path, Set<String> names) {
        if (name.isEmpty()) {
            return;
        }
        List<String> problems = problemsOfName(name);
        errors.invalid(path, name, problems);
        if (problems.isEmpty() && !names.add(name)) {
            errors.duplicate(path, TextNode.valueOf(name));
        }
    }

    /** {@code IsValidPortName}. */
    private static List<String> problemsOfName(String name) {
        var problems = new ArrayList<String>();
        if (name.length() > MAX_NAME_LENGTH) {
            problems.add("must be no more than " + MAX_NAME_LENGTH + " characters");
        }
        if (!name.matches("[-a-z0-9]+")) {
            problems.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (name.chars().noneMatch(each -> each >= 'a' && each <= 'z')) {
            problems.add("must contain at least one letter (a-z)");
        }
        if (name.contains("--")) {
            problems.add("must not contain consecutive hyphens");
        }
        if (name.startsWith("-") || name.endsWith("-")) {
            problems.add("must not begin or end with a hyphen");
        }
        return problems;
    }

    private void number(int port, String path) {
        if (port < 1 || port > HIGHEST) {
            errors.invalid(path, port, "must be between 1 and " + HIGHEST + ", inclusive");
        }
    }

    /** @param used the ports that containers before use */
    private void conflicts(JsonNode ports, String path, Set<String> used) {
        for (int i = 0; i < ports.size(); i++) {
            JsonNode port = ports.get(i);
            String use = protocol(port) + "/" + port.path("hostIP").asText("") + "/" + hostPort(port);
            if (hostPort(port) != 0 && !used.add(use)) {
                errors.duplicate(path + "[" + i + "].hostPort", TextNode.valueOf(use));
            }
        }
    }

    /** With the default of pods in the network of their node ({@code defaultHostNetworkPorts}). */
    private int hostPort(JsonNode port) {
        int written = port.path("hostPort").asInt();
        return written == 0 && isHostNetwork && !isTemplate
                ? port.path("containerPort").asInt()
                : written;
    }

    private static String protocol(JsonNode port) {
        String written = port.path("protocol").asText("");
        return written.isEmpty() || port.path("protocol").isNull() ? "TCP" : written;
    }
}
