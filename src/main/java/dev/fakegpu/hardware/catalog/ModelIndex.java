package dev.fakegpu.hardware.catalog;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Models by all their names. Names take precedence over aliases, so that a new alias in the catalog does not affect models that users added
 * before.
 */
final class ModelIndex {

    private final Map<String, Model> byName = new TreeMap<>();
    private final Map<String, Model> byKey = new HashMap<>();

    ModelIndex() {}

    ModelIndex(ModelIndex other) {
        byName.putAll(other.byName);
        byKey.putAll(other.byKey);
    }

    /**
     * Adds a model unless its name is taken. An alias that is taken keeps its meaning: a copy of a model under another name has the same
     * aliases, and a later catalog may have an alias that a user's model has, too.
     *
     * @return why the model cannot be added; empty if it was added
     */
    Optional<String> add(Model model) {
        if (byName.containsKey(model.name())) {
            return Optional.of("name: \"" + model.name() + "\" is in the catalog already; allowed: another name");
        }
        model.aliasesOrNone().forEach(alias -> byKey.putIfAbsent(Names.key(alias), model));
        byKey.put(Names.key(model.name()), model);
        byName.put(model.name(), model);
        return Optional.empty();
    }

    Optional<Model> find(String written) {
        String key = Names.key(written);
        return Optional.ofNullable(byName.get(written))
                .or(() -> Optional.ofNullable(byKey.get(key)))
                .or(() -> Optional.ofNullable(byKey.get(Names.otherKey(key))));
    }

    Collection<Model> models() {
        return Collections.unmodifiableCollection(byName.values());
    }

    SortedSet<String> names() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(byName.keySet()));
    }

    /** The names, followed by the aliases with dashes for spaces. */
    Set<String> namesAndAliases() {
        Set<String> all = new LinkedHashSet<>(byName.keySet());
        all.addAll(new TreeSet<>(byKey.keySet()));
        return Collections.unmodifiableSet(all);
    }
}
