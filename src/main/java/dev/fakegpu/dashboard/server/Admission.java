package dev.fakegpu.dashboard.server;

import java.net.HttpURLConnection;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Decides which picture a caller gets. */
@FunctionalInterface
public interface Admission extends AutoCloseable {

    /**
     * Admits a caller; must not block.
     *
     * @param authorization the {@code Authorization} header of the request; null if it has none
     * @return the caller's pictures; fails with a {@link DeniedException} if the caller gets none
     */
    CompletableFuture<Admitted> admit(@Nullable String authorization);

    @Override
    default void close() {}

    /**
     * Admits every caller to the same pictures.
     *
     * @param feed closed with this object
     */
    static Admission everybody(DashboardFeed feed) {
        return new Admission() {
            @Override
            public CompletableFuture<Admitted> admit(@Nullable String authorization) {
                return CompletableFuture.completedFuture(new Admitted("", feed));
            }

            @Override
            public void close() {
                feed.close();
            }
        };
    }

    /** Thrown if a caller gets no picture. */
    class DeniedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final int status;

        /**
         * @param status the HTTP status
         * @param sentence for the caller, without a period
         */
        DeniedException(int status, String sentence) {
            super(sentence);
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    /** Thrown if a caller gets no picture now because it cannot be determined what the caller may see. */
    final class UndecidedException extends DeniedException {

        private static final long serialVersionUID = 1L;

        /** @param sentence for the caller, without a period */
        UndecidedException(String sentence) {
            super(HttpURLConnection.HTTP_UNAVAILABLE, sentence);
        }
    }
}
