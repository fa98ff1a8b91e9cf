package dev.fakegpu.kube.watch;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds objects of one kind by name. */
@FunctionalInterface
public interface ObjectLookup<T> {

    /** @param namespace the namespace; null for cluster-scoped objects */
    Optional<T> get(@Nullable String namespace, String name);
}
