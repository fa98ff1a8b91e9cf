package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.kube.manifest.ManifestFields;
import dev.fakegpu.kube.manifest.ReadableManifest;
import dev.fakegpu.util.FieldProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Why an API server refuses an object that a user wrote. An object that an API server has stored is not refused.
 *
 * @param unreadable sentences about fields that are missing, not known, or of another shape
 * @param errors what is wrong with the values of the others, without what only follows from unreadable fields
 */
public record ManifestValidation(List<String> unreadable, List<FieldError> errors) {

    private static final Set<String> WITH_SPEC = Set.of("FakeGpu", "Pod", "DeviceTaintRule", "ResourceSlice");

    /** Errors about names that other fields have; the name may be in a field that cannot be read. */
    private static final List<String> REFERENCES =
            List.of("must be one of the names in", "must be the name of a request");

    public ManifestValidation {
        unreadable = List.copyOf(unreadable);
        errors = List.copyOf(errors);
    }

    /**
     * Checks an object for the newest version of Kubernetes.
     *
     * @param type the class of the object
     */
    public static ManifestValidation of(JsonNode object, Class<?> type) {
        return of(object, type, KubernetesVersion.NEWEST);
    }

    /** Checks an object for an API server of a version whose feature gates are all on. */
    public static ManifestValidation of(JsonNode object, Class<?> type, KubernetesVersion version) {
        return of(object, type, ApiServer.of(version));
    }

    /**
     * Checks an object for an API server. It refuses fields of newer versions, as it does for kubectl, except in ResourceSlices:
     * these stand for those of drivers, which do not ask for this, so it drops the fields before it checks the others. It always drops fields
     * whose feature gate is off.
     */
    public static ManifestValidation of(JsonNode object, Class<?> type, ApiServer server) {
        KubernetesVersion version = server.version();
        if (object.path("metadata").hasNonNull("uid")) {
            return new ManifestValidation(List.of(), List.of());
        }
        boolean isOfDriver = object.path("kind").asText().equals(KnownKind.ResourceSlice.name());
        ReadableManifest found =
                ManifestFields.readable(object, type, "", isOfDriver ? KubernetesVersion.NEWEST : version);
        var unreadable = new ArrayList<String>();
        if (isMissing(object, "name") && isMissing(object, "generateName")) {
            String kind = object.path("kind").asText();
            unreadable.add(FieldProblem.sentence("metadata.name", "", "is missing", "the name of the " + kind));
        }
        if (needsSpec(object.path("kind").asText()) && !object.hasNonNull("spec")) {
            unreadable.add(FieldProblem.sentence("spec", "", "is missing", "an object"));
            found = found.without("spec");
        }
        unreadable.addAll(found.problems());
        JsonNode kept =
                isOfDriver ? ManifestFields.readable(object, type, "", version).readable() : found.readable();
        ReadableManifest read = found;
        return new ManifestValidation(
                unreadable,
                ApiValidation.errors(server.kept(kept), server).stream()
                        .filter(error -> !mayFollow(error, read))
                        .toList());
    }

    /** Whether the API server requires a spec; code that reads such an object relies on it. */
    public static boolean needsSpec(String kind) {
        return WITH_SPEC.contains(kind) || KnownKind.isWorkload(kind);
    }

    private static boolean isMissing(JsonNode object, String name) {
        return object.path("metadata").path(name).asText("").isEmpty();
    }

    /** Whether an error may be only about what could not be read. */
    private static boolean mayFollow(FieldError error, ReadableManifest read) {
        boolean isIncomplete = !read.incomplete().isEmpty();
        return (isIncomplete && REFERENCES.stream().anyMatch(error.what()::contains)) || read.mayExplain(error.path());
    }

    /**
     * One sentence for each reason.
     *
     * @param path the path of the object; empty if it is a whole document
     */
    public List<String> sentences(String path) {
        return Stream.concat(unreadable.stream(), errors.stream().map(FieldError::sentence))
                .map(sentence -> path.isEmpty() ? sentence : path + "." + sentence)
                .toList();
    }
}
