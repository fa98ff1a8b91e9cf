package dev.fakegpu.hardware.catalog;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An entry of the catalog, which {@code spec.model} can name. */
public sealed interface Model permits GpuModel, EqualPartsModel, TemplateModel {

    /** The name, not necessarily a product name. */
    String name();

    /** Other names for {@code spec.model}, with spaces or dashes; null for none. */
    @Nullable List<String> aliases();

    /** {@link #aliases}, empty if there are none. */
    default List<String> aliasesOrNone() {
        return Optional.ofNullable(aliases()).orElse(List.of());
    }
}
