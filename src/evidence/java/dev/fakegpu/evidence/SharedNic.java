package dev.fakegpu.evidence;

import java.util.List;

/**
 * A network device, which has a bandwidth of 10G if it has a policy.
 *
 * @param shared whether it allows multiple allocations
 * @param policy the default and the step of the bandwidth in G; 0 if the device has no capacity
 */
record SharedNic(boolean shared, int policy) implements Published {

    static final String DRIVER = "nic.example.com";

    @Override
    public String driver() {
        return DRIVER;
    }

    @Override
    public List<String> slices(String node) {
        return List.of(deviceSlice(node));
    }

    @Override
    public String deviceSlice(String node) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: %s-devices}
                spec:
                  driver: %s
                  nodeName: %s
                  pool: {name: %s-pool, generation: 1, resourceSliceCount: 1}
                  devices:
                  - {name: eth1%s%s}
                """.formatted(node, DRIVER, node, node, shared ? ", allowMultipleAllocations: true" : "", capacity());
    }

    private String capacity() {
        if (policy == 0) {
            return "";
        }
        String request =
                shared ? ", requestPolicy: {default: %dG, validRange: {min: 1G, step: 1G}}".formatted(policy) : "";
        return ", capacity: {bandwidth: {value: 10G%s}}".formatted(request);
    }
}
