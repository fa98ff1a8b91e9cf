package dev.fakegpu.api;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** The custom resource. Its spec says which model the fake GPUs are, how they can be partitioned, and which nodes have them. */
@Group(FakeGpu.GROUP)
@Version(FakeGpu.VERSION)
@Kind("FakeGpu")
@Plural("fakegpus")
@ShortNames("fgpu")
@ValidationRule(
        value = "self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 40",
        messageExpression =
                "\"metadata.name '\" + self.metadata.name + \"' is not a DNS label of at most 40 characters: it becomes a "
                        + "part of pool, node and slice names; use lower case letters, digits and '-'\"")
@AdditionalPrinterColumn(name = "Model", type = Type.STRING, jsonPath = ".spec.model")
@AdditionalPrinterColumn(name = "GPUs", type = Type.INTEGER, jsonPath = ".status.totals.gpus")
@AdditionalPrinterColumn(name = "Nodes", type = Type.INTEGER, jsonPath = ".status.totals.nodes")
@AdditionalPrinterColumn(name = "Devices", type = Type.INTEGER, jsonPath = ".status.totals.devices")
@AdditionalPrinterColumn(name = "Allocated", type = Type.INTEGER, jsonPath = ".status.totals.allocated")
@AdditionalPrinterColumn(
        name = "Ready",
        type = Type.STRING,
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@AdditionalPrinterColumn(
        name = "Reason",
        type = Type.STRING,
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason")
@AdditionalPrinterColumn(
        name = "Message",
        type = Type.STRING,
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].message",
        priority = 1)
@AdditionalPrinterColumn(name = "Age", type = Type.DATE, jsonPath = ".metadata.creationTimestamp")
public class FakeGpu extends CustomResource<FakeGpuSpec, FakeGpuStatus> {

    public static final String GROUP = "fakegpu.dev";
    public static final String VERSION = "v1alpha1";
}
