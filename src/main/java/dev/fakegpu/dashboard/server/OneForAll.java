package dev.fakegpu.dashboard.server;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Shows all callers the same picture, as long as there are any. */
public final class OneForAll implements Admission {

    private static final String NOTE =
            "names of pods and claims, and what they ask for, since explanations.names is not Full";

    private final FeedPool feeds;
    private final Caller anybody;

    /** @param feeds closed with this object */
    public OneForAll(FeedPool feeds, Visibility visibility) {
        this.feeds = feeds;
        this.anybody = new Caller("", visibility);
    }

    @Override
    public CompletableFuture<Admitted> admit(@Nullable String authorization) {
        try {
            return CompletableFuture.completedFuture(new Admitted(anybody.user(), feeds.feed(anybody, NOTE)));
        } catch (DeniedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void close() {
        feeds.close();
    }
}
