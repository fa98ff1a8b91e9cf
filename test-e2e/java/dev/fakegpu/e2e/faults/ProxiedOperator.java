package dev.fakegpu.e2e.faults;

import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.ControlPlane;
import java.util.List;
import java.util.Map;

/**
 * An operator that reaches the API server through a proxy, and is started again whenever it ends.
 *
 * @param proxy closed with the operator
 */
record ProxiedOperator(FaultProxy proxy, OperatorProcess operator) implements AutoCloseable {

    /**
     * @param seed of the proxy's random decisions
     * @param rules in force before the operator starts
     */
    static ProxiedOperator start(ControlPlane controlPlane, long seed, FaultRule... rules) {
        var proxy = FaultProxy.to(controlPlane.config(), seed);
        List.of(rules).forEach(proxy::inject);
        var operator = OperatorProcess.start(controlPlane, proxy.address(), Map.of());
        return new ProxiedOperator(proxy, operator);
    }

    @Override
    public void close() {
        proxy.heal();
        operator.close();
        proxy.close();
    }
}
