package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.TopologySpec;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.hardware.catalog.Model;
import dev.fakegpu.hardware.catalog.NodeProfile;
import dev.fakegpu.hardware.catalog.TemplateModel;
import dev.fakegpu.hardware.inventory.field.Problems;
import dev.fakegpu.hardware.inventory.field.QuantityReader;
import dev.fakegpu.util.Suggestion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that a spec does not contradict the machine profile that it names. */
final class ProfileCheck {

    private static final String FIELD = "spec.topology.profile";
    private static final String FIRST_PLACE = "spec.topology.firstPlace";

    private final Problems problems;

    ProfileCheck(Problems problems) {
        this.problems = problems;
    }

    /** Whether the profile allows the hardware to be computed; if not, the problems say why. */
    boolean accepts(Model model, FakeGpuSpec spec) {
        String name = spec.topologyOrDefault().profile();
        Integer firstPlace = spec.topologyOrDefault().firstPlace();
        if (name == null) {
            if (firstPlace != null) {
                problems.add(
                        FIRST_PLACE,
                        firstPlace,
                        "needs spec.topology.profile, whose places it counts",
                        "no firstPlace");
            }
            return firstPlace == null;
        }
        var profile = NodeProfile.find(name);
        if (profile.isEmpty()) {
            List<String> known = NodeProfile.names();
            problems.add(FIELD, name, "is not a node profile" + Suggestion.hint(name, known), String.join(", ", known));
            return false;
        }
        int before = problems.count();
        check(profile.get(), model, spec);
        return problems.count() == before;
    }

    private void check(NodeProfile profile, Model model, FakeGpuSpec spec) {
        TopologySpec topology = spec.topologyOrDefault();
        beside("numaNodes", topology.numaNodes(), profile);
        beside("gpusPerPcieRoot", topology.gpusPerPcieRoot(), profile);
        String kind =
                model instanceof TemplateModel template ? template.template().kind() : GpuIdentity.GPU;
        List<String> models = profile.models().getOrDefault(kind, List.of());
        if (!models.contains(model.name())) {
            problems.add(
                    "spec.model", model.name(), "is not in a machine " + profile.name(), String.join(", ", models));
            return;
        }
        checkPlaces(profile, spec, profile.places(kind).size());
        checkCapacity(profile, spec);
    }

    private void checkPlaces(NodeProfile profile, FakeGpuSpec spec, int places) {
        int first = spec.topologyOrDefault().firstPlaceOrDefault();
        if (first < 0 || first >= places) {
            problems.add(FIRST_PLACE, first, "is not a place of a machine " + profile.name(), "0 to " + (places - 1));
        } else if (spec.gpusPerNode() > places - first) {
            problems.add(
                    "spec.count",
                    spec.gpusPerNode(),
                    "is more than a machine " + profile.name() + " has" + (first == 0 ? "" : " from place " + first),
                    "1 to " + (places - first));
        }
    }

    private void beside(String field, @Nullable Integer value, NodeProfile profile) {
        if (value != null) {
            problems.add(
                    "spec.topology." + field,
                    value,
                    "is set beside profile " + profile.name() + ", which says it",
                    "no " + field);
        }
    }

    private void checkCapacity(NodeProfile profile, FakeGpuSpec spec) {
        if (spec.nodes() == null || spec.nodes().simulated() == null) {
            return;
        }
        spec.nodes().simulated().capacity().forEach((resource, amount) -> {
            String has = profile.resources().get(resource);
            if (has != null && amount != null && QuantityReader.of(amount).compareTo(Quantity.parse(has)) != 0) {
                problems.add(
                        "spec.nodes.simulated.capacity[" + resource + "]",
                        QuantityReader.text(amount),
                        "is not what a machine " + profile.name() + " has",
                        has + ", or no " + resource);
            }
        });
    }
}
