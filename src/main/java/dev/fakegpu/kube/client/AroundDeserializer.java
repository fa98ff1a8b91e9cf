package dev.fakegpu.kube.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.io.Serial;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads objects of some types as Jackson would, and does something before or after. */
final class AroundDeserializer extends DelegatingDeserializer {

    @Serial
    private static final long serialVersionUID = 1;

    private final transient Around around;

    /** Wraps the reading of an object. */
    @FunctionalInterface
    interface Around {

        /** @param delegate reads the object; {@link JsonDeserializer#handledType} is its type */
        @Nullable Object deserialize(JsonParser parser, DeserializationContext context, JsonDeserializer<?> delegate)
                throws IOException;
    }

    private AroundDeserializer(JsonDeserializer<?> delegate, Around around) {
        super(delegate);
        this.around = around;
    }

    /**
     * A module for a mapper. Several such modules wrap one another; the one that was registered first is the innermost.
     *
     * @param name identifies the module, so that a mapper registers it only once
     * @param arounds the wrapper for a type; empty for none
     */
    static Module module(String name, Function<Class<?>, Optional<Around>> arounds) {
        return new SimpleModule(name).setDeserializerModifier(new Modifier(arounds));
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> delegate) {
        return new AroundDeserializer(delegate, around);
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        return around.deserialize(parser, context, getDelegatee());
    }

    private static final class Modifier extends BeanDeserializerModifier {

        @Serial
        private static final long serialVersionUID = 1;

        private final transient Function<Class<?>, Optional<Around>> arounds;

        Modifier(Function<Class<?>, Optional<Around>> arounds) {
            this.arounds = arounds;
        }

        @Override
        public JsonDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription description, JsonDeserializer<?> deserializer) {
            return arounds.apply(description.getBeanClass())
                    .<JsonDeserializer<?>>map(around -> new AroundDeserializer(deserializer, around))
                    .orElse(deserializer);
        }
    }
}
