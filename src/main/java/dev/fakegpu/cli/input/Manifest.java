package dev.fakegpu.cli.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.cluster.check.FieldLines;
import dev.fakegpu.cluster.validation.ManifestValidation;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.kube.manifest.OlderVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A Kubernetes object from a file, which is not converted yet.
 *
 * @param source the name of the file in messages
 * @param apiVersion as written in the file
 * @param lines the lines of its fields in the file
 * @param notes values that were read in a possibly unintended way
 */
public record Manifest(String source, JsonNode json, String apiVersion, FieldLines lines, List<String> notes) {

    public Manifest {
        notes = List.copyOf(notes);
    }

    /** A manifest in the version that it is written in. */
    Manifest(String source, JsonNode json, FieldLines lines, List<String> notes) {
        this(source, json, json.path("apiVersion").asText(), lines, notes);
    }

    /** A manifest without lines and notes. */
    public Manifest(String source, JsonNode json) {
        this(source, json, FieldLines.UNKNOWN, List.of());
    }

    Manifest with(JsonNode changed) {
        return new Manifest(source, changed, apiVersion, lines, notes);
    }

    public String kind() {
        return json.path("kind").asText();
    }

    public String name() {
        return json.path("metadata").path("name").asText();
    }

    /** The title for messages: {@code a100.yaml: FakeGpu a100}. */
    public String title() {
        return source + ": "
                + (kind().isEmpty() ? "an object without a kind" : kind() + (name().isEmpty() ? "" : " " + name()));
    }

    boolean isA(String apiGroup, String wantedKind) {
        return kind().equals(wantedKind) && json.path("apiVersion").asText().startsWith(apiGroup + "/");
    }

    /** Reports values that were read in a possibly unintended way. */
    public void note(Consumer<String> receiver) {
        notes.forEach(note -> receiver.accept(title() + ": " + note));
    }

    /** Converts an object of an older version to the version that is read. */
    Manifest converted() {
        return OlderVersion.convert(json)
                .map(found -> new Manifest(
                        source,
                        found.object(),
                        apiVersion,
                        lines,
                        Stream.concat(Stream.of(found.note()), notes.stream()).toList()))
                .orElse(this);
    }

    /** @throws InvalidInputException with a message for each problem, if there are any */
    void refuse(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new InvalidInputException(located(problems));
        }
    }

    /**
     * Problems with the file, the object and the line.
     *
     * @param problems each begins with the path of a field
     */
    List<String> located(List<String> problems) {
        return problems.stream()
                .map(problem -> {
                    int line = lines.line(problem.split("[: ]", 2)[0]);
                    return title() + ": " + (line == 0 ? "" : "line " + line + ": ") + problem;
                })
                .toList();
    }

    /**
     * As {@link KnownKind#unserved}; empty if an API server has stored the object.
     *
     * @param server the version of the API server
     */
    List<String> unserved(KubernetesVersion server) {
        boolean isStored = json.path("metadata").hasNonNull("uid");
        return isStored
                ? List.of()
                : KnownKind.unserved(kind(), apiVersion, server).stream().toList();
    }

    /** @throws InvalidInputException if an API server of the version would refuse the object, which none has stored */
    void refuseInvalid(KnownKind kind, KubernetesVersion server) {
        var problems = new ArrayList<>(unserved(server));
        problems.addAll(ManifestValidation.of(json, kind.type(), server).sentences(""));
        refuse(problems);
    }

    /**
     * @param versions the kinds that are read, with the {@code apiVersion} of each
     * @throws InvalidInputException if the object probably has a misspelled kind or version; suggests the right one, and lists what else the
     *     API server would refuse
     */
    public void refuseMisspelled(Map<String, String> versions) {
        List<String> problems = new ArrayList<>(KnownKind.misspelling(json, versions));
        if (!problems.isEmpty()) {
            KnownKind.meant(json).stream()
                    .flatMap(kind -> ManifestValidation.of(as(kind), kind.type()).sentences("").stream())
                    .filter(problem -> !problem.startsWith(problems.get(0).split(" ", 2)[0] + " "))
                    .toList()
                    .forEach(problems::add);
        }
        refuse(problems);
    }

    private JsonNode as(KnownKind kind) {
        ObjectNode copy = json.deepCopy();
        return copy.put("kind", kind.name()).put("apiVersion", kind.apiVersion());
    }

    /** Does the same for kinds in the version that is read. */
    public void refuseMisspelled(Set<KnownKind> kinds) {
        refuseMisspelled(KnownKind.versions(kinds));
    }
}
