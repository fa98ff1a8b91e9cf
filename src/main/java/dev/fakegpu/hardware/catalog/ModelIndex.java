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

/** Models by all their names. A name goes before an alias, so that a new alias of the catalog changes no model that somebody added before. */
final class ModelIndex {

    private final Map<String, Model> byName = new TreeMap<>();
    private final Map<String, Model> byKey = new HashMap<>();

    ModelIndex() {}

    ModelIndex(ModelIndex other) {
        byName.putAll(other.byName);
        byKey.putAll(other.byKey);
    }

    /**
     * Adds a model, unless its name is taken; returns why it cannot be added. An alias that is taken goes on meaning what it meant: a copy
     * of a model under another name has the aliases of the original, and a later catalog may have an alias that somebody's model has.
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

    /** The names, and after them the aliases, without spaces. */
    Set<String> namesAndAliases() {
        Set<String> all = new LinkedHashSet<>(byName.keySet());
        all.addAll(new TreeSet<>(byKey.keySet()));
        return Collections.unmodifiableSet(all);
    }
}
