package dev.fakegpu.kube.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import dev.fakegpu.util.FieldShape;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Handles fields whose type differs from the client's model, as a newer API server may send them. Such a field is omitted and recorded on
 * its object, instead of making the whole list fail. An object that still cannot be read keeps only its metadata.
 */
public final class UnreadableFields {

    /** The key under which an object stores its unreadable fields. */
    private static final String ANNOTATION = "fakegpu.dev/unreadable-fields";

    private static final Object PROBLEMS = new Object();

    /** How many fields are listed, for an object that differs everywhere. */
    private static final int MAX_PROBLEMS = 5;

    private static final int MAX_TEXT = 80;

    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    /** The objects of a list, and those of a watch. */
    private static final Pattern OF_LIST_OR_EVENT = Pattern.compile("^(/items/\\d+|/object)(?=/|$)");

    private static final Pattern INDEX = Pattern.compile("\\d+");

    private UnreadableFields() {}

    /** The fields that could not be read, and why, as in {@code field spec.priority cannot be read: …}; empty if all were read. */
    public static Optional<String> of(HasMetadata object) {
        var metadata = object.getMetadata();
        return metadata == null
                ? Optional.empty()
                : Optional.ofNullable(metadata.getAdditionalProperties().get(ANNOTATION))
                        .map(String::valueOf);
    }

    /** Whether all fields could be read. */
    public static boolean isReadable(HasMetadata object) {
        return of(object).isEmpty();
    }

    /** Says this of the fields of an object that could not be read, if there are such. */
    public static void replace(ObjectMeta metadata, String text) {
        metadata.getAdditionalProperties().computeIfPresent(ANNOTATION, (key, problems) -> text);
    }

    static DeserializationProblemHandler handler() {
        return new Handler();
    }

    static Module module() {
        return AroundDeserializer.module("fakegpu-unreadable-fields", type -> {
            if (HasMetadata.class.isAssignableFrom(type)) {
                return Optional.of(UnreadableFields::readObject);
            }
            return type == ObjectMeta.class ? Optional.of(UnreadableFields::readMetadata) : Optional.empty();
        });
    }

    /**
     * Records a problem with the object that is being read. Returns false if no object is being read; the caller must then handle the
     * problem.
     */
    private static boolean note(DeserializationContext context, String pointer, String problem) {
        if (!(context.getAttribute(PROBLEMS) instanceof Problems problems)) {
            return false;
        }
        if (problems.texts.size() < MAX_PROBLEMS) {
            String field = OF_LIST_OR_EVENT.matcher(pointer).replaceFirst("");
            problems.texts.add("field %s cannot be read: %s".formatted(abbreviated(path(field)), problem));
        }
        return true;
    }

    /** The path of a field, such as {@code spec.devices[0].name} for {@code /spec/devices/0/name}. */
    private static String path(String pointer) {
        if (pointer.isEmpty()) {
            return "/";
        }
        var path = new StringBuilder();
        for (String step : pointer.substring(1).split("/", -1)) {
            if (INDEX.matcher(step).matches()) {
                path.append('[').append(step).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".")
                        .append(step.replace("~1", "/").replace("~0", "~"));
            }
        }
        return path.toString();
    }

    private static String abbreviated(String value) {
        String plain = CONTROL.matcher(value).replaceAll(" ");
        return plain.length() <= MAX_TEXT ? plain : plain.substring(0, MAX_TEXT) + "…";
    }

    /** The known parts of the object that is being read. */
    private static final class Problems {
        private final List<String> texts = new ArrayList<>();
        private @Nullable ObjectMeta metadata;
    }

    private static final class Handler extends DeserializationProblemHandler {

        @Override
        public @Nullable Object handleUnexpectedToken(
                DeserializationContext context,
                JavaType type,
                JsonToken token,
                JsonParser parser,
                @Nullable String message)
                throws IOException {
            return skipped(context, type, parser, kind(token));
        }

        @Override
        public @Nullable Object handleWeirdStringValue(
                DeserializationContext context, Class<?> type, String value, @Nullable String message)
                throws IOException {
            return skipped(context, context.constructType(type), context.getParser(), "\"" + abbreviated(value) + "\"");
        }

        @Override
        public @Nullable Object handleWeirdNumberValue(
                DeserializationContext context, Class<?> type, Number value, @Nullable String message)
                throws IOException {
            return skipped(context, context.constructType(type), context.getParser(), String.valueOf(value));
        }

        @Override
        public @Nullable Object handleMissingInstantiator(
                DeserializationContext context,
                Class<?> type,
                com.fasterxml.jackson.databind.deser.@Nullable ValueInstantiator instantiator,
                JsonParser parser,
                @Nullable String message)
                throws IOException {
            return skipped(context, context.constructType(type), parser, kind(parser.currentToken()));
        }

        private static @Nullable Object skipped(
                DeserializationContext context, JavaType type, JsonParser parser, String what) throws IOException {
            String where = parser.getParsingContext().pathAsPointer().toString();
            String expected = FieldShape.of(type.getRawClass());
            if (!note(context, where, "it is %s, where %s is expected".formatted(what, expected))) {
                return NOT_HANDLED;
            }
            parser.skipChildren();
            return type.isPrimitive() ? context.findRootValueDeserializer(type).getNullValue(context) : null;
        }

        private static String kind(@Nullable JsonToken token) {
            return switch (token == null ? JsonToken.NOT_AVAILABLE : token) {
                case START_OBJECT, FIELD_NAME, END_OBJECT -> "an object";
                case START_ARRAY, END_ARRAY -> "a list";
                case VALUE_STRING -> "a string";
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
                case VALUE_TRUE, VALUE_FALSE -> "true or false";
                default -> "nothing";
            };
        }
    }

    private static @Nullable Object readMetadata(
            JsonParser parser, DeserializationContext context, JsonDeserializer<?> delegate) throws IOException {
        Object metadata = delegate.deserialize(parser, context);
        // The API server sends an object's own metadata before that of the templates in its spec.
        if (context.getAttribute(PROBLEMS) instanceof Problems problems && problems.metadata == null) {
            problems.metadata = (ObjectMeta) metadata;
        }
        return metadata;
    }

    /** Reads one API object with its own list of problems. */
    private static @Nullable Object readObject(
            JsonParser parser, DeserializationContext context, JsonDeserializer<?> delegate) throws IOException {
        Object outer = context.getAttribute(PROBLEMS);
        var problems = new Problems();
        context.setAttribute(PROBLEMS, problems);
        int depth = parser.getParsingContext().getNestingDepth();
        try {
            Object object = delegate.deserialize(parser, context);
            if (object instanceof HasMetadata read && !problems.texts.isEmpty()) {
                mark(read, problems.texts);
            }
            return object;
        } catch (JsonMappingException | RuntimeException e) {
            String where = parser.getParsingContext().pathAsPointer().toString();
            note(context, where, abbreviated(String.valueOf(e.getMessage())));
            HasMetadata object = metadataOnly(parser, problems, depth, delegate.handledType());
            if (object == null) {
                throw e;
            }
            return object;
        } finally {
            context.setAttribute(PROBLEMS, outer);
        }
    }

    /**
     * Handles errors for which Jackson calls no handler, such as a value that a constructor rejects. Returns null if even the metadata is
     * unknown.
     */
    private static @Nullable HasMetadata metadataOnly(JsonParser parser, Problems problems, int depth, Class<?> type)
            throws IOException {
        if (problems.metadata == null || !(emptyInstance(type) instanceof HasMetadata object)) {
            return null;
        }
        while (parser.getParsingContext().getNestingDepth() >= depth && parser.nextToken() != null) {
            // skip to the end of the object
        }
        object.setMetadata(problems.metadata);
        mark(object, problems.texts);
        return object;
    }

    private static @Nullable Object emptyInstance(Class<?> type) {
        try {
            return type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** Records on the object which fields could not be read. */
    static void mark(HasMetadata object, List<String> problems) {
        if (object instanceof Pod pod && pod.getSpec() == null) {
            pod.setSpec(new PodSpec()); // the API server always sends a spec, so other code does not expect null
        }
        if (object.getMetadata() != null) {
            Map<String, Object> properties =
                    new LinkedHashMap<>(object.getMetadata().getAdditionalProperties());
            Object before = properties.get(ANNOTATION);
            String text = String.join("; ", problems);
            properties.put(ANNOTATION, before == null ? text : before + "; " + text);
            object.getMetadata().setAdditionalProperties(properties);
        }
    }
}
