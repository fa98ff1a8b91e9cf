package dev.fakegpu.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowingConsumer;
import org.awaitility.Awaitility;

/**
 * Something in a cluster that may still change: it can be asserted on only with retry, or be read {@link #now()}, which says in the test that
 * nothing changes it any more.
 *
 * @param <T> what is read
 */
public final class Eventually<T> {

    private final String name;
    private final Supplier<T> read;

    private Eventually(String name, Supplier<T> read) {
        this.name = name;
        this.read = read;
    }

    /**
     * Nothing is read yet.
     *
     * @param name for failures, such as {@code claim gpu}
     * @param read is called again and again; while it throws, the value is not as expected
     */
    public static <T> Eventually<T> of(String name, Supplier<T> read) {
        return new Eventually<>(name, read);
    }

    /** A part of it. */
    public <R> Eventually<R> map(Function<? super T, ? extends R> part) {
        return new Eventually<>(name, () -> part.apply(read.get()));
    }

    /** Waits until it satisfies the assertions. */
    public void satisfies(ThrowingConsumer<? super T> assertions) {
        Awaitility.await(name).untilAsserted(() -> assertions.acceptThrows(read.get()));
    }

    /** Waits until it equals a value. */
    public void isEqualTo(T expected) {
        satisfies(value -> assertThat(value).isEqualTo(expected));
    }

    /** The value at this moment. */
    public T now() {
        return read.get();
    }
}
