package dev.fakegpu.fleet;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** In what the pools of a FakeGpu differ from those that it was made from: a check on the import, and on what it says about itself. */
public final class Differences {

    private final String pool;
    private final List<String> found = new ArrayList<>();

    private Differences(String pool) {
        this.pool = pool;
    }

    /** A sentence for each device, counter set or slice field that is not the same; names of pools and nodes do not matter. */
    public static List<String> between(PoolContent wanted, PoolContent published) {
        var differences = new Differences(wanted.pool().name());
        differences.compare("counter set", CounterSet::name, wanted.counterSets(), published.counterSets());
        differences.compare("device", Device::name, wanted.devices(), published.devices());
        differences.compare(
                "partitionTypeAttribute", wanted.partitionTypeAttribute(), published.partitionTypeAttribute());
        differences.compare("skipNodeOperations", wanted.skipNodeOperations(), published.skipNodeOperations());
        return List.copyOf(differences.found);
    }

    private <T> void compare(String what, Function<T, String> name, List<T> wanted, List<T> published) {
        Map<String, T> byName = new LinkedHashMap<>();
        published.forEach(object -> byName.put(name.apply(object), object));
        for (T object : wanted) {
            T counterpart = byName.remove(name.apply(object));
            if (counterpart == null) {
                add(what + " " + name.apply(object) + " is not published");
            } else if (!counterpart.equals(object)) {
                add("%s %s is published as %s instead of %s".formatted(what, name.apply(object), counterpart, object));
            }
        }
        byName.keySet().forEach(extra -> add(what + " " + extra + " is published in addition"));
        if (!wanted.stream()
                .map(name)
                .toList()
                .equals(published.stream().map(name).toList())) {
            add("the order of the " + what + "s is another one");
        }
    }

    private void compare(String what, @Nullable Object wanted, @Nullable Object published) {
        if (!Objects.equals(wanted, published)) {
            add("%s is %s instead of %s".formatted(what, published, wanted));
        }
    }

    private void add(String what) {
        found.add("pool " + pool + ": " + what);
    }
}
