package dev.fakegpu.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.Serial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fields whose type differs from the client's model, as a newer API server may send them. Such a field is left out and recorded on its
 * object, instead of making the whole list fail.
 */
public final class UnreadableFields {

    /** The key under which an object keeps its unreadable fields. */
    private static final String ANNOTATION = "fakegpu.dev/unreadable-fields";

    private static final Object PROBLEMS = new Object();

    private UnreadableFields() {}

    /** Which fields could not be read, and why; empty if all could. */
    public static Optional<String> of(HasMetadata object) {
        var metadata = object.getMetadata();
        return metadata == null
                ? Optional.empty()
                : Optional.ofNullable(metadata.getAdditionalProperties().get(ANNOTATION))
                        .map(String::valueOf);
    }

    static DeserializationProblemHandler handler() {
        return new Handler();
    }

    static Module module() {
        return new SimpleModule("fakegpu-unreadable-fields").setDeserializerModifier(new Modifier());
    }

    /** Records a problem with the object that is being read. Returns false if no object is being read; the caller must then handle it. */
    private static boolean note(DeserializationContext context, String problem) {
        if (!(context.getAttribute(PROBLEMS) instanceof Problems problems)) {
            return false;
        }
        problems.texts().add(problem);
        return true;
    }

    private record Problems(List<String> texts) {}

    private static final class Handler extends DeserializationProblemHandler {

        @Override
        public @Nullable Object handleUnexpectedToken(
                DeserializationContext context,
                JavaType type,
                JsonToken token,
                JsonParser parser,
                @Nullable String message)
                throws IOException {
            return skipped(context, type, parser, "is " + token);
        }

        @Override
        public @Nullable Object handleWeirdStringValue(
                DeserializationContext context, Class<?> type, String value, @Nullable String message)
                throws IOException {
            return skipped(
                    context, context.constructType(type), context.getParser(), "is \"" + abbreviated(value) + "\"");
        }

        @Override
        public @Nullable Object handleWeirdNumberValue(
                DeserializationContext context, Class<?> type, Number value, @Nullable String message)
                throws IOException {
            return skipped(context, context.constructType(type), context.getParser(), "is " + value);
        }

        @Override
        public @Nullable Object handleMissingInstantiator(
                DeserializationContext context,
                Class<?> type,
                com.fasterxml.jackson.databind.deser.@Nullable ValueInstantiator instantiator,
                JsonParser parser,
                @Nullable String message)
                throws IOException {
            return skipped(context, context.constructType(type), parser, "is " + parser.currentToken());
        }

        private static @Nullable Object skipped(
                DeserializationContext context, JavaType type, JsonParser parser, String what) throws IOException {
            String where = parser.getParsingContext().pathAsPointer().toString();
            if (!note(
                    context,
                    where + " " + what + ", expected " + type.getRawClass().getSimpleName())) {
                return NOT_HANDLED;
            }
            parser.skipChildren();
            return type.isPrimitive() ? context.findRootValueDeserializer(type).getNullValue(context) : null;
        }

        private static String abbreviated(String value) {
            return value.length() <= 40 ? value : value.substring(0, 40) + "…";
        }
    }

    private static final class Modifier extends BeanDeserializerModifier {

        @Serial
        private static final long serialVersionUID = 1;

        @Override
        public JsonDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription description, JsonDeserializer<?> deserializer) {
            return HasMetadata.class.isAssignableFrom(description.getBeanClass())
                    ? new ObjectDeserializer(deserializer)
                    : deserializer;
        }
    }

    /** Reads one API object, with its own list of problems. */
    private static final class ObjectDeserializer extends DelegatingDeserializer {

        @Serial
        private static final long serialVersionUID = 1;

        ObjectDeserializer(JsonDeserializer<?> delegate) {
            super(delegate);
        }

        @Override
        protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> delegate) {
            return new ObjectDeserializer(delegate);
        }

        @Override
        public Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            Object outer = context.getAttribute(PROBLEMS);
            var problems = new Problems(new ArrayList<>());
            context.setAttribute(PROBLEMS, problems);
            try {
                Object object = super.deserialize(parser, context);
                if (object instanceof HasMetadata read && !problems.texts().isEmpty()) {
                    mark(read, problems.texts());
                }
                return object;
            } finally {
                context.setAttribute(PROBLEMS, outer);
            }
        }

        private static void mark(HasMetadata object, List<String> problems) {
            if (object.getMetadata() != null) {
                Map<String, Object> properties =
                        new LinkedHashMap<>(object.getMetadata().getAdditionalProperties());
                properties.put(ANNOTATION, String.join("; ", problems));
                object.getMetadata().setAdditionalProperties(properties);
            }
        }
    }
}
