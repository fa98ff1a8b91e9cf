package dev.fakegpu.catalog;

/** An entry of the catalog: what users name in {@code spec.model}. */
public sealed interface Model permits GpuModel, EqualPartsModel {

    /** The name, which need not be that of a product. */
    String name();
}
