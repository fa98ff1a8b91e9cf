package dev.fakegpu.catalog;

/** An entry of the catalog: what users name in {@code spec.model}. */
public sealed interface Model permits GpuModel, EqualPartsModel {

    /** The name, not necessarily a product name. */
    String name();
}
