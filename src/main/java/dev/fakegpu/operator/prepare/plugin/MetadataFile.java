package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.operator.prepare.ClaimValidator;
import dev.fakegpu.operator.prepare.NodeInventory;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A file with the metadata of a request's devices (KEP-5304), as this plugin writes it for the containers that use the request.
 *
 * @param claim its name
 * @param path in these containers
 * @param content byte for byte
 */
public record MetadataFile(String claim, String request, String driver, String path, String content) {

    /**
     * The files of a claim.
     *
     * @param problems why the claim has none, or none of a driver
     */
    public record Files(List<MetadataFile> files, List<String> problems) {}

    /** Without injected faults, which are of one call. */
    public static Files of(ResourceClaim claim, NodeInventory inventory) {
        var ref = ClaimReader.ref(claim);
        if (!Allocations.isAllocated(claim)) {
            return new Files(List.of(), List.of("claim %s is not allocated".formatted(ref)));
        }
        var files = new ArrayList<MetadataFile>();
        var problems = new ArrayList<String>();
        Allocations.results(claim).stream()
                .map(DeviceRequestAllocationResult::getDriver)
                .distinct()
                .forEach(driver -> add(claim, driver, inventory, files)
                        .ifPresent(problem -> problems.add("claim %s: %s".formatted(ref, problem))));
        return new Files(List.copyOf(files), List.copyOf(problems));
    }

    private static Optional<String> add(
            ResourceClaim claim, String driver, NodeInventory inventory, List<MetadataFile> files) {
        var allocated = AllocatedResults.of(claim, driver);
        var checked = new ClaimValidator(inventory, List.of(), ClaimNaming.Full).check(claim, allocated.results());
        if (checked.problem().isEmpty()) {
            var metadata = ClaimMetadata.of(claim, driver, allocated.results());
            metadata.texts(allocated.prepared(checked), result -> checked.setup(result.container()))
                    .forEach((request, text) -> files.add(new MetadataFile(
                            metadata.claim().name(), request, driver, metadata.containerPath(request), text)));
        }
        return checked.problem();
    }
}
