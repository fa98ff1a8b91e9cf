package dev.fakegpu.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowingConsumer;
import org.awaitility.Awaitility;

/**
 * Something in a cluster that may still change. Assertions on it are retried; {@link #now()} reads it once, which shows that the test
 * expects no further changes.
 *
 * @param <T> the type of the value
 */
public final class Eventually<T> {

    private final String name;
    private final Supplier<T> read;

    private Eventually(String name, Supplier<T> read) {
        this.name = name;
        this.read = read;
    }

    /**
     * Creates it without reading the value.
     *
     * @param name the name in failures, such as {@code claim gpu}
     * @param read reads the value, and is called repeatedly; if it throws, the value is not as expected
     */
    public static <T> Eventually<T> of(String name, Supplier<T> read) {
        return new Eventually<>(name, read);
    }

    /** A part of the value. */
    public <R> Eventually<R> map(Function<? super T, ? extends R> part) {
        return new Eventually<>(name, () -> part.apply(read.get()));
    }

    /** Waits until the value satisfies the assertions. */
    public void satisfies(ThrowingConsumer<? super T> assertions) {
        Awaitility.await(name).untilAsserted(() -> assertions.acceptThrows(read.get()));
    }

    /** Waits until the value equals another one. */
    public void isEqualTo(T expected) {
        satisfies(value -> assertThat(value).isEqualTo(expected));
    }

    /** The current value. */
    public T now() {
        return read.get();
    }
}
