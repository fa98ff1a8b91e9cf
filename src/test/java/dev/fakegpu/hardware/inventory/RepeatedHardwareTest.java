package dev.fakegpu.hardware.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import org.junit.jupiter.api.Test;

class RepeatedHardwareTest {

    @Test
    void lastIndexChangesFastest() {
        assertThat(inventory("""
                devices:
                - {name: "{a}-{b}-{c}", repeat: [{name: a, count: 1}, {name: b, count: 2}, {name: c, count: 2}]}
                - {name: one}
                """).devices())
                .extracting(Device::name)
                .containsExactly("0-0-0", "0-0-1", "0-1-0", "0-1-1", "one");
    }

    @Test
    void indexesAreInEveryPlaceThatCanDependOnThem() {
        assertThat(inventory("""
                mixins:
                  device: [{name: mixin-1, attributes: {a: {string: a}}}, {name: mixin-0}]
                  counterConsumption: [{name: mixin-1, counters: {more: "3"}}, {name: mixin-0, counters: {more: "2"}}]
                  counterSet: [{name: mixin-1, counters: {more: "4"}}, {name: mixin-0, counters: {more: "2"}}]
                counterSets:
                - {name: "set-{i}", repeat: [{name: i, count: 2}], includes: ["mixin-{i}"], counters: {"counter-{i}": "8"}}
                devices:
                - name: device-{i}
                  repeat: [{name: i, count: 2}]
                  includes: ["mixin-{i}"]
                  nodeName: node-{i}
                  attributes:
                    index: {index: i}
                    string: {string: "{i}/{i}"}
                    version: {version: "1.{i}.0"}
                    strings: {strings: ["{i}", x]}
                    versions: {versions: ["1.{i}.0"]}
                    number: {int: 7}
                  consumesCounters:
                  - {counterSet: "set-{i}", includes: ["mixin-{i}"], counters: {"counter-{i}": "1"}, compatibilityGroups: ["g-{i}"]}
                """)).isEqualTo(inventory("""
                counterSets:
                - {name: set-0, counters: {more: "2", counter-0: "8"}}
                - {name: set-1, counters: {more: "4", counter-1: "8"}}
                devices:
                - name: device-0
                  nodeName: node-0
                  attributes:
                    index: {int: 0}
                    string: {string: 0/0}
                    version: {version: 1.0.0}
                    strings: {strings: ["0", x]}
                    versions: {versions: [1.0.0]}
                    number: {int: 7}
                  consumesCounters: [{counterSet: set-0, counters: {more: "2", counter-0: "1"}, compatibilityGroups: [g-0]}]
                - name: device-1
                  nodeName: node-1
                  attributes:
                    a: {string: a}
                    index: {int: 1}
                    string: {string: 1/1}
                    version: {version: 1.1.0}
                    strings: {strings: ["1", x]}
                    versions: {versions: [1.1.0]}
                    number: {int: 7}
                  consumesCounters: [{counterSet: set-1, counters: {more: "3", counter-1: "1"}, compatibilityGroups: [g-1]}]
                """));
    }

    @Test
    void eachCounterSetIsOneGpu() {
        Inventory inventory = inventory("""
                counterSets: [{name: "card-{card}", repeat: [{name: card, count: 3}], counters: {cores: "1"}}]
                devices: [{name: any}]
                """);

        assertThat(inventory.gpus()).isEqualTo(3);
        assertThat(inventory.counterSets()).extracting(CounterSet::name).containsExactly("card-0", "card-1", "card-2");
    }

    @Test
    void numbersThatNoSchemaLimitsAreRefusedAndNotExpanded() {
        FakeGpuSpec spec = spec("""
                devices:
                - name: "{a}-{b}-{c}"
                  repeat: [{name: a, count: 2147483647}, {name: b, count: 2147483647}, {name: c, count: 2147483647}]
                """);

        assertThat(Specs.PLANNER.check(spec, "sample"))
                .extracting(SpecProblem::field)
                .containsExactly(
                        "spec.custom.devices[0].repeat[0].count",
                        "spec.custom.devices[0].repeat[1].count",
                        "spec.custom.devices[0].repeat[2].count");
    }

    @Test
    void anIndexBesideAnotherValueIsRefused() {
        FakeGpuSpec spec = spec("""
                devices: [{name: "card-{i}", repeat: [{name: i, count: 2}], attributes: {card: {index: i, int: 7}}}]
                """);

        assertThat(Specs.PLANNER.check(spec, "sample"))
                .extracting(SpecProblem::field, SpecProblem::value)
                .containsExactly(tuple("spec.custom.devices[0].attributes[card]", "2"));
    }

    @Test
    void namesOfCountersThatBecomeTheSameAreRefused() {
        FakeGpuSpec spec = spec("""
                counterSets: [{name: "card-{i}", repeat: [{name: i, count: 1}], counters: {core-0: "1", "core-{i}": "2"}}]
                devices: [{name: any}]
                """);

        assertThat(Specs.PLANNER.check(spec, "sample"))
                .extracting(SpecProblem::field, SpecProblem::value)
                .containsExactly(tuple("spec.custom.counterSets[0].counters[core-{i}]", "core-{i}"));
    }

    private static Inventory inventory(String custom) {
        return Specs.PLANNER.plan(spec(custom), "sample", "");
    }

    private static FakeGpuSpec spec(String custom) {
        return Specs.spec("nodes: {all: true}\ncustom:\n" + custom.indent(2));
    }
}
